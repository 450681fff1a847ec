import type { RequestHandler } from 'express';
import { EncodedBody } from '../../platform/cache/encoded-body.ts';
import { send } from '../../platform/http/send.ts';
import { getContext } from '../request/context.ts';
import { csp } from './csp.ts';
import { layout } from './layout.ts';
import { type Config, createView, type Page, type View } from './view.ts';

export type Render = (view: View) => Page;

/** Sends pages, which scripts of other origins may not read. */
export function pageSender(config: Config) {
  return (path: string, render: Render, status = 200): RequestHandler =>
    async (request, response) => {
      await getContext(response).admission.enter();
      const view = await createView(config, path, request, response.locals.context.locale);
      const page = render(view);
      const html = layout(view, page).toString();
      const isStorable = view.token === undefined && status === 200;
      response.removeHeader('Access-Control-Allow-Origin');
      response.removeHeader('Access-Control-Expose-Headers');
      response
        .set('Content-Security-Policy', csp(page.csp))
        .set('Content-Language', view.locale)
        // Pages depend on the request's host and client address.
        .set('Cache-Control', isStorable ? 'private, no-cache' : 'private, no-store')
        // Guides are also Markdown.
        .vary('Accept')
        .type('html');
      if (status === 200) void new EncodedBody(html).send(response);
      else send(response, status, html);
    };
}
