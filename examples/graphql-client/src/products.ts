import { ProductsDocument, type ProductsQuery } from './documents.generated.ts';
import type { Send } from './gateway.ts';

type Product = NonNullable<ProductsQuery['items']>['nodes'][number];

/** All products with their tags, page by page. */
export async function* listProducts(send: Send): AsyncGenerator<Product> {
  let after: string | null = null;
  do {
    const { items }: ProductsQuery = await send(ProductsDocument, { after });
    yield* items?.nodes ?? [];
    after = items?.pageInfo.hasNextPage ? items.pageInfo.endCursor : null;
  } while (after !== null);
}
