import type { Locale } from '../../kernel/localization/locale.ts';
import ar from './texts.ar.json' with { type: 'json' };
import en from './texts.en.json' with { type: 'json' };

export type Texts = typeof en;

export const textsByLocale: Record<Locale, Texts> = { en, ar };

/** Texts for the page's script. */
export const pickOutcomes = ({ failed, live, missing, succeeded, rejected }: Texts) => ({
  ...{ failed, live, missing, succeeded, rejected },
});
