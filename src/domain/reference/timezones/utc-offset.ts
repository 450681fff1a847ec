// Zones change their offset on quarter hours only, so an offset holds until the next one.
const quarterHour = 15 * 60 * 1000;

const formats = new Map<string, Intl.DateTimeFormat>();
const known = { quarter: Number.NaN, offsets: new Map<string, string>() };

/** The offset of an IANA time zone from UTC at a time (ms since the epoch), as `+03:00`. */
export function utcOffset(timeZone: string, time: number): string {
  const quarter = Math.floor(time / quarterHour);
  if (known.quarter !== quarter) {
    known.quarter = quarter;
    known.offsets.clear();
  }
  const offset = known.offsets.get(timeZone) ?? formatOffset(timeZone, time);
  known.offsets.set(timeZone, offset);
  return offset;
}

function formatOffset(timeZone: string, time: number): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    formats.set(timeZone, format);
  }
  // "GMT+03:00", and "GMT" alone for zero.
  const name = format.formatToParts(time).find((part) => part.type === 'timeZoneName')?.value ?? '';
  return name.replace('GMT', '') || '+00:00';
}
