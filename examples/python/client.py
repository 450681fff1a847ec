"""Reads lookups, then creates and updates a tag through REST v1. Needs Python 3.9 or newer with requests."""

import os
import sys
import time
import uuid

import requests

ATTEMPTS = 5


class Problem(Exception):
    """An error of the gateway. `body` is its problem (RFC 9457), or empty if it is not JSON."""

    def __init__(self, status, body):
        super().__init__(body.get("detail") or (f"HTTP {status} without JSON" if status else "the gateway cannot be reached"))
        self.status = status
        self.body = body

    def advice(self):
        """How to handle the error."""
        if self.status == 401:
            return "get another token"
        if self.status == 412:
            return "someone else updated it first"
        errors = self.body.get("errors") if self.status == 422 else None
        if errors:
            return "; ".join(f"fix {field}: {' '.join(messages)}" for field, messages in errors.items())
        # Errors of a proxy have no request id.
        return f"{self} (request {self.body['request_id']})" if "request_id" in self.body else str(self)


class Gateway:
    """A client of REST v1."""

    def __init__(self, url, token, language="en"):
        self.base = f"{url}/partner_portal/v1"
        self.session = requests.Session()
        self.session.headers.update({"Authorization": f"Bearer {token}", "Accept-Language": language})

    def send(self, method, path, body=None, headers=None):
        """Sends a request; returns the body and the ETag.

        Retries 409, 429, 503 and lost connections if that is safe: reads, updates, and creates with an idempotency key.
        """
        safe = method != "POST" or "Idempotency-Key" in (headers or {})
        for attempt in range(1, ATTEMPTS + 1):
            try:
                response = self.session.request(method, self.base + path, json=body, headers=headers, timeout=30)
            except requests.RequestException:
                status, answer, received = 0, {}, {}
            else:
                status, answer, received = response.status_code, parse_json(response), response.headers
            if 200 <= status < 300 and answer:
                return answer, received.get("ETag")
            temporary = status in (0, 429, 503) or answer.get("code") in ("conflict", "idempotency_key_in_use")
            if not temporary or not safe or attempt == ATTEMPTS:
                raise Problem(status, answer)
            seconds = int(received.get("Retry-After", 2 ** (attempt - 1)))
            print(f"{method}: {status or 'not sent'}, again in {seconds} s")
            time.sleep(seconds)


def parse_json(response):
    try:
        answer = response.json()
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def attempt(step):
    """Runs a step; on an error, prints how to handle it."""
    try:
        step()
    except Problem as problem:
        print(problem.advice())


def main():
    url = os.environ.get("GATEWAY_URL", "http://127.0.0.1:4000")
    item = int(os.environ.get("ITEM_ID", "1"))
    gateway = Gateway(url, os.environ.get("GATEWAY_TOKEN", ""), "ar")

    lookups, _ = gateway.send("GET", "/lookups?services=-1&week_days=1")
    for lookup in lookups["lookups"]:
        for name, entries in lookup.items():
            print(f"{name}: {'، '.join(entry['name'] for entry in entries)}")

    fields = {"name_en": "Spicy", "name_ar": "حار", "item_ids": [item]}
    # One key per tag, so that a retry does not create a second one.
    key = {"Idempotency-Key": str(uuid.uuid4())}
    tag, etag = gateway.send("POST", "/product_tags", fields, key)
    print(f"created {tag['name']} on {len(tag['item_ids'])} product")
    again, _ = gateway.send("POST", "/product_tags", fields, key)
    print("created once" if again["id"] == tag["id"] else "created twice")

    path = f"/product_tags/{tag['id']}"
    updated, _ = gateway.send("PUT", path, {"name_en": "Very spicy"}, {"If-Match": etag})
    print(f"updated to {updated['name_en']}")
    # This version is now out of date.
    attempt(lambda: gateway.send("PUT", path, {"name_en": "Too late"}, {"If-Match": etag}))
    attempt(lambda: gateway.send("PUT", path, {"name_en": "No", "item_ids": [2_000_000_000]}))
    attempt(lambda: Gateway(url, "pp_unknown").send("PUT", path, {"name_en": "Stolen"}))


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(problem.advice())
