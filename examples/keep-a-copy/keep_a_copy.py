"""Keeps a copy of the items and tags of a company in a JSON file: copies all the first time, and then what has changed.

Needs Python 3.9 or newer with requests: GATEWAY_URL=... GATEWAY_TOKEN=... python3 keep_a_copy.py copy.json
"""

import json
import math
import os
import sys
import time
from datetime import datetime, timedelta

import requests

# A transaction may commit after a later one: its changes are then older than those received.
OVERLAP = timedelta(minutes=5)

# Tags with more than a page of items, whose lists are long.
TAGS_AT_A_TIME = 2

TAG_FIELDS = "id nameEn nameAr version updatedAt"

URL = os.environ.get("GATEWAY_URL", "http://127.0.0.1:4000")
session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['GATEWAY_TOKEN']}"


def send(query, variables=None, tries=1):
    """Sends a query, up to five times. Waits for Retry-After."""
    try:
        response = session.post(f"{URL}/graphql", json={"query": query, "variables": variables or {}}, timeout=30)
    except requests.RequestException as error:
        sys.exit(f"No response: {error}")
    if response.status_code in (429, 503) and tries < 5:
        time.sleep(int(response.headers.get("Retry-After", 2 ** (tries - 1))))
        return send(query, variables, tries + 1)
    answer = response.json() if "json" in response.headers.get("Content-Type", "") else {}
    if answer.get("errors"):
        sys.exit(answer["errors"][0]["message"])
    if not answer.get("data"):
        sys.exit(f"HTTP {response.status_code} without data")
    return answer["data"]["list"]


def list_rows(name, fields, updated_after=None):
    """The rows of a list, page by page."""
    query = f"""query ($after: String, $updatedAfter: DateTime) {{
      list: {name}(first: 100, after: $after, updatedAfter: $updatedAfter) {{
        nodes {{ {fields} }} pageInfo {{ hasNextPage endCursor }} }} }}"""
    after = None
    while True:
        page = send(query, {"after": after, "updatedAfter": updated_after})
        yield from page["nodes"]
        if not page["pageInfo"]["hasNextPage"]:
            return
        after = page["pageInfo"]["endCursor"]


def remove_deleted(name, copied):
    """Removes deleted rows if the counts differ. Returns whether the copy lacks rows."""
    if send(f"{{ list: {name}(first: 1) {{ totalCount }} }}")["totalCount"] == len(copied):
        return False
    present = {str(row["id"]) for row in list_rows(name, "id")}
    for key in set(copied) - present:
        del copied[key]
    return len(copied) < len(present)


def update(copy):
    """Brings a copy up to date."""
    newest = copy["newest"]

    def since(name):
        if name not in newest:
            return None
        # Rows that changed while the last run read its pages are older than the newest row that it received.
        time_of = datetime.fromisoformat(newest[name].replace("Z", "+00:00"))
        return (time_of - OVERLAP - timedelta(seconds=copy["elapsed"])).isoformat()

    since_items, since_tags = since("items"), since("tags")
    for item in list_rows("items", "id itemType nameEn nameAr updatedAt", since_items):
        copy["items"][str(item["id"])] = item
        newest["items"] = max(newest.get("items", ""), item["updatedAt"])
    long = []
    with_items = f"{TAG_FIELDS} items(first: 100) {{ nodes {{ id }} pageInfo {{ hasNextPage }} }}"
    for tag in list_rows("productTags", with_items, since_tags):
        newest["tags"] = max(newest.get("tags", ""), tag["updatedAt"])
        items = tag.pop("items")
        if not items["pageInfo"]["hasNextPage"]:
            copy["tags"][str(tag["id"])] = {**tag, "itemIds": [item["id"] for item in items["nodes"]]}
        elif copy["tags"].get(str(tag["id"]), {}).get("version") != tag["version"]:
            long.append(tag["id"])
    query = f"query ($ids: [Int!]!) {{ list: productTagsByIds(ids: $ids) {{ {TAG_FIELDS} itemIds }} }}"
    for start in range(0, len(long), TAGS_AT_A_TIME):
        for tag in send(query, {"ids": long[start : start + TAGS_AT_A_TIME]}):
            # A tag that was deleted meanwhile is None.
            if tag:
                copy["tags"][str(tag["id"])] = tag
    for name, key in (("items", "items"), ("productTags", "tags")):
        if remove_deleted(name, copy[key]):
            # Missing rows are new, or from a transaction longer than the overlap: the next run reads all rows.
            newest.pop(key, None)


def main():
    file = sys.argv[1] if len(sys.argv) > 1 else "copy.json"
    copy = {"items": {}, "tags": {}, "newest": {}, "elapsed": 0}
    if os.path.exists(file):
        with open(file, encoding="utf-8") as old:
            copy = json.load(old)
    started = time.monotonic()
    update(copy)
    copy["elapsed"] = math.ceil(time.monotonic() - started)
    # An interrupted run keeps the last copy.
    with open(f"{file}.new", "w", encoding="utf-8") as new:
        json.dump(copy, new)
    os.replace(f"{file}.new", file)
    print(f"{len(copy['items'])} items, {len(copy['tags'])} tags")


main()
