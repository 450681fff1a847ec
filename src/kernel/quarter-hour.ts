/** In ms. Time zones change their offsets from UTC on quarter hours only. */
const quarterHour = 15 * 60_000;

export const currentQuarter = () => Math.floor(Date.now() / quarterHour);
