import { ProductsDocument, type ProductsQuery } from './documents.generated.ts';
import type { Send } from './gateway.ts';

type Product = ProductsQuery['viewer']['items']['nodes'][number];

/** All products with their tags, page by page. */
export async function* listProducts(send: Send): AsyncGenerator<Product> {
  let after: string | null = null;
  do {
    const { viewer }: ProductsQuery = await send(ProductsDocument, { after });
    yield* viewer.items.nodes;
    after = viewer.items.pageInfo.hasNextPage ? viewer.items.pageInfo.endCursor : null;
  } while (after !== null);
}
