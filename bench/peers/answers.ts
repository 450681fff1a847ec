import { readFileSync } from 'node:fs';

/** The service's recorded response bodies, by path. */
export function readAnswers(): Map<string, Buffer> {
  const answers: Record<string, string> = JSON.parse(readFileSync(process.env.ANSWERS as string, 'utf8'));
  return new Map(Object.entries(answers).map(([path, text]) => [path, Buffer.from(text)]));
}

export function toHeaders(bytes: Buffer) {
  return { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length };
}
