import { isUtf8 } from 'node:buffer';
import { text } from 'node:stream/consumers';
import busboy from 'busboy';
import { AppError } from '../../kernel/errors/app-error.ts';

/** Media types for clients that send files. */
const supported = ['application/json', 'application/x-www-form-urlencoded'];

/** Reads at most `max` fields of a `multipart/form-data` body in UTF-8. Rejects files. */
export async function readMultipart(bytes: Buffer, contentType: string, max: number): Promise<[string, string][]> {
  const fields: (Promise<[string, string]> | [string, string])[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const malformed = (cause: unknown) => reject(new AppError('malformed_body', { cause }));
  try {
    const parser = busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      limits: { fieldSize: bytes.length, parts: max },
    });
    parser.on('field', (name = '', value) => fields.push([name, value]));
    parser.on('file', (name = '', content, { filename }) => {
      content.on('error', malformed);
      // Bytes without a file name are a field of type `application/octet-stream`.
      if (filename === undefined) fields.push(text(content).then((value) => [name, value]));
      else {
        content.resume();
        reject(new AppError('unsupported_media_type', { values: { supported }, hint: 'file' }));
      }
    });
    parser.on('partsLimit', () => reject(new AppError('payload_too_large')));
    parser.on('error', malformed);
    parser.on('close', resolve);
    parser.end(bytes);
  } catch (cause) {
    // The boundary is missing.
    malformed(cause);
  }
  await promise;
  // The parser replaces invalid bytes.
  if (!isUtf8(bytes)) throw new AppError('malformed_body');
  return Promise.all(fields);
}
