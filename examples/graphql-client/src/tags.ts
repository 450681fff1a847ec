import { randomUUID } from 'node:crypto';
import {
  type CreateProductTagInput,
  CreateTagDocument,
  ReadTagDocument,
  type ReadTagQuery,
  type RejectionFragment,
  type TagFragment,
  type UpdateProductTagInput,
  UpdateTagDocument,
} from './documents.generated.ts';
import type { Send } from './gateway.ts';

/** Creates a tag. Use one key per tag until you have a response, so that retries are safe. */
export async function createTag(
  send: Send,
  input: CreateProductTagInput,
  key: string = randomUUID(),
): Promise<TagFragment> {
  const { createProductTag } = await send(CreateTagDocument, { input, idempotencyKey: key });
  return requireTag(createProductTag);
}

/** Changes a tag. If someone else updated it first, applies the change to the new version. */
export async function changeTag(
  send: Send,
  original: TagFragment,
  change: (tag: TagFragment) => UpdateProductTagInput,
): Promise<TagFragment> {
  let tag: TagFragment | null = original;
  while (tag !== null) {
    const { updateProductTag } = await send(UpdateTagDocument, {
      id: tag.id,
      input: change(tag),
      ifMatch: tag.version,
    });
    if (updateProductTag?.userErrors[0]?.code !== 'VERSION_MISMATCH') return requireTag(updateProductTag);
    console.log(`${tag.nameEn} was updated by someone else first`);
    const { productTag }: ReadTagQuery = await send(ReadTagDocument, { id: tag.id });
    tag = productTag;
  }
  throw new Error('the tag was deleted');
}

/** How to handle each rejection. A missing code is a compile error. */
function getAdvice({ code, field, message, itemIds }: RejectionFragment): string {
  switch (code) {
    case 'INVALID_LENGTH':
    case 'INVALID_CHARACTERS':
    case 'INVALID_TYPE':
    case 'TOO_MANY_ITEMS':
      return `fix ${field?.at(-1)}: ${message}`;
    case 'ITEM_NOT_FOUND':
    case 'ITEM_NOT_PRODUCT':
      return `leave out ${itemIds?.join(', ')}: ${message}`;
    case 'PRODUCT_TAG_NOT_FOUND':
      return `forget it: ${message}`;
    case 'VERSION_MISMATCH':
      return `read it again: ${message}`;
    default:
      return code satisfies never;
  }
}

export class RejectedError extends Error {
  readonly rejections: readonly RejectionFragment[];

  constructor(rejections: readonly RejectionFragment[]) {
    super(rejections.map(getAdvice).join('; '));
    this.rejections = rejections;
  }
}

function requireTag(payload: { productTag: TagFragment | null; userErrors: RejectionFragment[] } | null): TagFragment {
  // A mutation that failed is null, and `send` has thrown its error.
  if (!payload?.productTag) throw new RejectedError(payload?.userErrors ?? []);
  return payload.productTag;
}
