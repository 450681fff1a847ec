/** Time zones change their UTC offset on quarter hours only. */
const quarterHourMs = 15 * 60_000;

export const currentQuarterHour = () => Math.floor(Date.now() / quarterHourMs) * quarterHourMs;
