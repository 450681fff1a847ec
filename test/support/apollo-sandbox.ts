import type { Route } from 'playwright-core';
import { build } from 'vite';

export const apolloScripts = 'https://embeddable-sandbox.cdn.apollographql.com/';
export const apolloFrames = 'https://sandbox.embed.apollographql.com/';

/** Stands in for Apollo's hosts: the script is Apollo's own, from its npm package; in the frame that it opens is not Sandbox. */
export async function apolloSandbox(): Promise<(route: Route) => Promise<boolean>> {
  const script = await bundleScript();
  return async (route) => {
    const url = route.request().url();
    if (url.startsWith(apolloScripts)) await route.fulfill({ contentType: 'text/javascript', body: script });
    else if (url.startsWith(apolloFrames)) await route.fulfill({ contentType: 'text/html', body: framed });
    else return false;
    return true;
  };
}

async function bundleScript(): Promise<string> {
  const entry = `${import.meta.dirname}/apollo-sandbox-script.ts`;
  const lib = { entry, formats: ['iife' as const], name: 'script' };
  const made = await build({ configFile: false, publicDir: false, logLevel: 'error', build: { write: false, lib } });
  const [bundle] = [made].flat();
  if (bundle === undefined || !('output' in bundle)) throw new Error('nothing was built');
  return bundle.output[0].code;
}

// Speaks with Apollo's script as Sandbox does: it greets, then has the script send the document that it was given.
const framed = `<!doctype html>
<title>Sandbox</title>
<pre></pre>
<script>
const given = (name) => new URL(location).searchParams.get(name);
const say = (message) => parent.postMessage(message, '*');
const answers = {
  HandshakeResponse: () => say({
    name: 'ExplorerRequest',
    operationId: '1',
    operation: given('defaultDocument'),
    headers: JSON.parse(given('sharedHeaders')),
    endpointUrl: given('endpoint'),
  }),
  ExplorerResponse: ({ response }) => { document.querySelector('pre').textContent = JSON.stringify(response); },
};
addEventListener('message', ({ data }) => answers[data.name]?.(data));
say({ name: 'ExplorerListeningForHandshake' });
</script>`;
