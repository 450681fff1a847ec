import { Html, html } from '../../../kernel/html.ts';
import type { Difference } from './differences.ts';
import type { Skipped } from './recording.ts';
import type { KindOfDifference, Tally } from './tally.ts';

interface Results {
  old: URL;
  new: URL;
  tally: Tally;
  skipped: Map<Skipped, number>;
}

/** A kind of difference in words. */
export const nameOf = (kind: Difference['kind']) => kind.replace('_', ' ');

export function skippedSentence(skipped: Results['skipped']): string {
  return `Skipped: ${[...skipped].map(([reason, count]) => `${reason} (${count})`).join(', ') || 'none'}.`;
}

/** A page without any other file or script. */
export function reportPage({ old, new: other, tally: { summary, rows, differences }, skipped }: Results): string {
  const names = Object.keys(rows[0] ?? {}).map((name) => name.replaceAll('_', ' '));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Comparison: ${summary.different} of ${summary.sent} differ</title>
<style>${new Html(style)}</style>
</head>
<body>
<h1>Comparison of two services</h1>
<p>Old: <code>${old.href}</code><br>New: <code>${other.href}</code></p>
<p>Requests: ${Object.entries(summary).map(([name, count]) => html`${count} ${name}. `)}${skippedSentence(skipped)}</p>
<h2>Routes</h2>
<table tabindex="0">
<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${Object.values(row).map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table>
<h2>Kinds of differences: ${differences.length}</h2>
${differences.map(section)}
</body>
</html>
`.toString();
}

function section({ kind, route, language, path, count, example }: KindOfDifference): Html {
  const { method, path: target, body = '' } = example;
  return html`<section>
<h3>${nameOf(kind)} <code>${path}</code></h3>
<p><code>${route}</code>, ${language}: ${count} ${count === 1 ? 'request' : 'requests'}, the first of which was:</p>
<pre dir="auto">${`${method} ${target}\n\n${body}`.trim()}</pre>
<div class="sides"><div><h4>Old</h4>${side(example.old)}</div><div><h4>New</h4>${side(example.new)}</div></div>
</section>
`;
}

function side(value: unknown): Html {
  if (value === undefined) return html`<pre>(nothing)</pre>`;
  return html`<pre dir="auto">${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>`;
}

const style = `
:root { color-scheme: light dark; }
body { margin: 0 auto; padding: 1rem; max-width: 72rem; font: 1rem/1.5 system-ui, sans-serif; }
h3, h4, pre, section p { margin: .25rem 0; }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; overflow-wrap: anywhere; }
pre { padding: .5rem; max-height: 24rem; overflow: auto; white-space: pre-wrap; background: light-dark(#f0f0ea, #0d1113); }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: .25rem .75rem .25rem 0; border-bottom: 1px solid; text-align: end; white-space: nowrap; }
:is(th, td):nth-child(-n + 2) { text-align: start; }
section { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid; }
.sides { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .5rem; }
`;
