import type { Locale } from '../../kernel/localization/locale.ts';
import { askExample, type Example, type Parts } from './examples.ts';
import generated from './tag-examples.generated.json' with { type: 'json' };

/** The routes that write, as they answered in an empty database: a page may not write to show them. */
export const tagExamples: Record<Locale, Example[]> = generated;

/** Creates a tag of the demo partner's, and updates it, on both surfaces. */
export async function askTagExamples(parts: Parts & { token: string }): Promise<Example[]> {
  const path = '/partner_portal/v1/product_tags';
  const spicy = { name_en: 'Spicy', name_ar: 'حار جدا', item_ids: [1, 2] };
  const created = await askExample({ method: 'POST', path, body: spicy }, parts);
  if (created.answers === undefined) throw new Error('the demo partner’s token or items are not there');
  const { id } = created.answers.rest as { id: number };
  const verySpicy = { name_en: 'Very spicy', item_ids: [2, 3] };
  return [created, await askExample({ method: 'PUT', path: `${path}/${id}`, body: verySpicy }, parts)];
}
