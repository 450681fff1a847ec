import { restPath } from '../../kernel/request/surface-path.ts';
import { askExample, type Example, type ExampleRequest, type Parts } from './examples.ts';

const requests: ExampleRequest[] = [
  `${restPath}/lookups?brand_types=1&week_days=1`,
  `${restPath}/countries`,
  `${restPath}/cities?country_id=682`,
  `${restPath}/timezones`,
  `${restPath}/services`,
].map((path) => ({ method: 'GET', path }));

/** UTC offsets go by the clock, in ms. */
const minute = 60_000;

/** The routes of reference data, as they answer now: asked again when the data has changed, or a minute is over. */
export function referenceExamples(
  parts: Omit<Parts, 'locale'>,
  versionOf: () => unknown,
): (locale: Parts['locale']) => Promise<Example[]> {
  const kept = new Map<string, { version: unknown; minute: number; examples: Promise<Example[]> }>();
  return (locale) => {
    const now = { version: versionOf(), minute: Math.floor(Date.now() / minute) };
    const before = kept.get(locale);
    if (before !== undefined && before.version === now.version && before.minute === now.minute) return before.examples;
    const examples = Promise.all(requests.map((request) => askExample(request, { ...parts, locale })));
    kept.set(locale, { ...now, examples });
    return examples;
  };
}
