import { randomUUID } from 'node:crypto';
import {
  type CreateProductTagInput,
  CreateTagDocument,
  ReadTagDocument,
  type ReadTagQuery,
  type RefusalFragment,
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
  return tagOf(createProductTag);
}

/**
 * Changes a tag. If someone else updated it first, reads the tag again and applies the change to the new version.
 */
export async function changeTag(
  send: Send,
  known: TagFragment,
  change: (tag: TagFragment) => UpdateProductTagInput,
): Promise<TagFragment> {
  let tag: TagFragment | null = known;
  while (tag !== null) {
    const { updateProductTag } = await send(UpdateTagDocument, {
      id: tag.id,
      input: change(tag),
      ifMatch: tag.version,
    });
    if (updateProductTag?.userErrors[0]?.code !== 'VERSION_MISMATCH') return tagOf(updateProductTag);
    console.log(`${tag.nameEn} was updated by someone else first`);
    const { productTag }: ReadTagQuery = await send(ReadTagDocument, { id: tag.id });
    tag = productTag;
  }
  throw new Error('the tag was deleted');
}

/** How to handle each rejection. A missing code is a compile error. */
function adviceOn({ code, field, message, itemIds }: RefusalFragment): string {
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

export class RefusedError extends Error {
  readonly refusals: readonly RefusalFragment[];

  constructor(refusals: readonly RefusalFragment[]) {
    super(refusals.map(adviceOn).join('; '));
    this.refusals = refusals;
  }
}

function tagOf(payload: { productTag: TagFragment | null; userErrors: RefusalFragment[] } | null): TagFragment {
  // A mutation that failed is null, and `send` has thrown its error.
  if (!payload?.productTag) throw new RefusedError(payload?.userErrors ?? []);
  return payload.productTag;
}
