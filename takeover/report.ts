import { Html, html } from '../src/kernel/html.ts';
import type { KindOfDifference, Tally } from './tally.ts';

/** A self-contained HTML page without scripts. */
export function reportPage(old: string, other: string, tally: Tally): string {
  const { summary, skipped, unreadable, unreadablePlaces, rows, differences } = tally;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Comparison: ${summary.different} of ${summary.sent} differ</title>
<style>${new Html(style)}</style>
</head>
<body>
<h1>Comparison of two services</h1>
<p>Old: <code>${old}</code><br>New: <code>${other}</code></p>
<p>Requests: ${Object.entries({ ...summary, skipped, unreadable }).map(([name, count]) => html`${count} ${name}. `)}</p>
<p><strong>${verdictOf(tally)}</strong></p>
${unreadable > 0 && html`<p>Cannot be read: ${unreadablePlaces.join(', ')}.</p>\n`}<h2>Routes</h2>
<table>
<tr>${Object.keys(rows[0] ?? {}).map((name) => html`<th>${name.replaceAll('_', ' ')}</th>`)}</tr>
${rows.map((row) => html`<tr>${Object.values(row).map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}
</table>
<h2>Kinds of differences: ${differences.length}</h2>
${differences.map(section)}
</body>
</html>
`;
  return escapeControls(page.toString());
}

/** The result as a sentence. */
export function verdictOf({ summary: { sent, same, different, failed }, unreadable }: Tally): string {
  const rest = unreadable > 0 ? `, ${unreadable} cannot be read` : '';
  if (same < sent) return `${count(different)} of ${count(sent)} requests differ, ${count(failed)} failed${rest}.`;
  return `All ${count(sent)} responses are equal${rest}.`;
}

const count = (number: number) => number.toLocaleString('en');

/** Makes control characters and direction marks visible, except line ends. */
export function escapeControls(text: string): string {
  const shown = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, shown);
}

function section({ kind, route, language, path, count, example }: KindOfDifference): Html {
  return html`<section>
<h3>${kind} <code>${path}</code></h3>
<p><code>${route}</code>, ${language}: ${count} ${count === 1 ? 'request' : 'requests'}, the first of which was:</p>
<pre dir="auto">${`${example.method} ${example.path}\n\n${example.body}`.trim()}</pre>
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
pre { padding: .5rem; max-height: 24rem; overflow: auto; white-space: pre-wrap;
  background: light-dark(#f0f0ea, #0d1113); }
table { border-spacing: .75rem .25rem; text-align: start; }
section { margin-top: 1.5rem; border-top: 1px solid; overflow-wrap: anywhere; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; }
`;
