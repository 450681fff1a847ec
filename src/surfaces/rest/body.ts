import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type RequestHandler } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';
import { bodyLimit, hasBody, requireFittingBody, verifyText } from '../../platform/http/body.ts';

// A form names every item in a parameter of its own; a few more than a tag may have, so that too many is told as such.
const parameterLimit = 10_100;

const requireJsonOrForm: RequestHandler = (request, _response, next) => {
  if (hasBody(request) && !request.is(['application/json', 'application/x-www-form-urlencoded'])) {
    const supported = 'application/json, application/x-www-form-urlencoded';
    throw new AppError('unsupported_media_type', { values: { supported } });
  }
  next();
};

// The parser keeps what it cannot decode as it stands; a name would be stored so.
function verifyForm(request: IncomingMessage, response: ServerResponse, body: Buffer, encoding: string): void {
  verifyText(request, response, body, encoding);
  if (encoding !== 'utf-8') return;
  try {
    decodeURIComponent(body.toString());
  } catch (cause) {
    throw new AppError('malformed_body', { cause });
  }
}

/** Reads a JSON or form body; a request without one has no fields. */
export const readBody: RequestHandler[] = [
  requireJsonOrForm,
  requireFittingBody,
  express.json({ limit: bodyLimit, verify: verifyText }),
  express.urlencoded({ extended: true, limit: bodyLimit, parameterLimit, verify: verifyForm }),
];
