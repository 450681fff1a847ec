import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { AppError } from '../../kernel/errors/app-error.ts';
import { decodeUtf8 } from './body.ts';
import { parseMediaType } from './media-type.ts';

/** Reads at most `max` UTF-8 fields. Rejects files, naming the `supported` media types, and parts without a name. */
export async function readMultipart(
  bytes: Buffer,
  contentType: string,
  { max, supported }: { max: number; supported: string[] },
): Promise<[string, string][]> {
  const names: string[] = [];
  const parts: Readable[] = [];
  try {
    const parser = new Dicer({ boundary: parseMediaType(contentType).params.get('boundary')?.trim() });
    const finished = once(parser, 'finish');
    parser.on('part', (part) => {
      // The parser reports the same error.
      part.on('error', () => {});
      if (parts.push(part) > max) throw new AppError('payload_too_large', { hint: 'parts' });
      part.on('header', (headers) => {
        const { name, filename } = parseDisposition(headers);
        // Browsers send an empty name for a file that nobody chose.
        if (filename) throw new AppError('unsupported_media_type', { values: { supported }, hint: 'file' });
        names.push(name);
      });
    });
    // Parses synchronously, and finishes once the parts are read.
    parser.end(bytes);
    const values = parts.map((part): Buffer | null => part.read());
    await finished;
    if (names.length < parts.length) throw new AppError('malformed_body');
    return values.map((value, index) => [names[index] ?? '', value === null ? '' : decodeUtf8(value)]);
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('malformed_body', { cause });
  }
}

const maxDispositionParameters = 8;

function parseDisposition(headers: { 'content-disposition'?: string[] }) {
  const [disposition = ''] = headers['content-disposition'] ?? [];
  if (disposition.split(';').length > maxDispositionParameters + 1) throw new AppError('malformed_body');
  const { subtype, params } = parseMediaType(`multipart/${disposition}`);
  const name = params.get('name');
  if (subtype !== 'form-data' || name === null) throw new AppError('malformed_body');
  return { name: decodeUtf8(Buffer.from(name, 'latin1')), filename: params.get('filename') || params.get('filename*') };
}
