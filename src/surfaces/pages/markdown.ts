import type { Request, RequestHandler, Response } from 'express';
import { restPath } from '../../kernel/request/surface-path.ts';
import { EncodedBody } from '../../platform/cache/encoded-body.ts';
import { negotiateType } from '../../platform/http/accept.ts';
import type { Guide } from './guides.ts';
import { originPlaceholder } from './placeholders.ts';
import { textsByLocale } from './texts.ts';
import { getOrigin } from './view.ts';

export const prefersMarkdown = (request: Request) =>
  negotiateType(request, ['text/html', 'text/markdown']) === 'text/markdown';

export const sendMarkdown =
  ({ markdown }: Guide): RequestHandler =>
  (request, response) =>
    sendText(response, markdown.replaceAll(originPlaceholder, getOrigin(request)));

/** GET /llms.txt (llmstxt.org). */
export const sendIndex =
  (guides: readonly Guide[], introspection: boolean): RequestHandler =>
  (request, response) => {
    const origin = getOrigin(request);
    const entries = guides.map(({ name, title, purpose }) => `- [${title}](${origin}/guides/${name}.md): ${purpose}`);
    const { service, title, lead } = textsByLocale.en;
    const text = `# ${service}

> ${title}. ${lead}

## Guides

${entries.join('\n')}

## Descriptions for programs

${introspection ? `- [GraphQL schema](${origin}/schema.graphql): every type and operation, in SDL\n` : ''}\
- [OpenAPI](${origin}${restPath}/openapi.json): every route of REST v1
`;
    sendText(response, text);
  };

function sendText(response: Response, text: string): void {
  response.set({ 'Cache-Control': 'private, no-cache', 'Content-Language': 'en' }).vary('Accept').type('text/markdown');
  void new EncodedBody(text).send(response);
}
