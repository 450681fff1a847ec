export class Html extends String {}

type Part = Html | string | number | false | undefined | readonly Part[];

/** Escapes text, joins lists, and leaves out `false` and `undefined`. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(render)));
}

/** Browsers do not execute it, and no text in it can close the element. */
export function settingsBlock(data: object): Html {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return html`<script type="application/json" id="settings">${new Html(json)}</script>`;
}

function render(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.toString();
  return typeof part === 'object' ? part.map(render).join('') : escapeText(String(part));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
