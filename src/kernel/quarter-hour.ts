/** In ms. Time zones change their offsets from UTC on quarter hours only. */
const quarterHour = 15 * 60_000;

/** The start of the current quarter hour, in ms as of Date.now(). */
export const currentQuarter = () => Math.floor(Date.now() / quarterHour) * quarterHour;
