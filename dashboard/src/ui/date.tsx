const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const shortMonth = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'long' });

/** How a moment is written in a time zone. */
const clockIn = (timeZone: string) => ({
  timeZone,
  day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone }),
  minute: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
  /** With the name of the zone. */
  second: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long', timeZone }),
  // Sweden writes dates and times as ISO 8601 does.
  iso: new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }),
});

let clock = clockIn('UTC');

/** From now on, days and times are in this time zone: the account's, as on the server. */
export function liveIn(timeZone: string): void {
  if (timeZone !== clock.timeZone) clock = clockIn(timeZone);
}

/** The account's time zone, if the browser is in a different one. */
export const zoneElsewhere = (): string | null =>
  clock.timeZone === new Intl.DateTimeFormat().resolvedOptions().timeZone ? null : clock.timeZone;

/** A calendar date, `2026-11-15`, in the reader's locale. */
export const formatDay = (date: string) => day.format(new Date(`${date}T00:00:00Z`));
/** A month, `2026-11`. */
export const formatMonth = (period: string) => month.format(new Date(`${period}-01T00:00:00Z`));
export const formatShortMonth = (period: string) => shortMonth.format(new Date(`${period}-01T00:00:00Z`));
/** The day of a moment in the account's time zone. */
export const formatDayOf = (timestamp: string) => clock.day.format(new Date(timestamp));
export const formatMoment = (timestamp: string) => clock.minute.format(new Date(timestamp));
export const formatSecond = (timestamp: string) => clock.second.format(new Date(timestamp));

export function Day({ date, none = '–' }: { date: string | null; none?: string }) {
  if (date === null) return <span className="text-faint">{none}</span>;
  return (
    <time dateTime={date} className="whitespace-nowrap">
      {formatDay(date)}
    </time>
  );
}

/** How long ago; the exact time is in the tooltip. */
export function Ago({ at, none = 'Never' }: { at: string | null; none?: string }) {
  if (at === null) return <span className="text-faint">{none}</span>;
  return (
    <time dateTime={at} title={formatSecond(at)} className="whitespace-nowrap">
      {formatAgo(at)}
    </time>
  );
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

export function formatAgo(timestamp: string, now = Date.now() + aheadMs): string {
  const seconds = Math.round((new Date(timestamp).getTime() - now) / 1000);
  if (Math.abs(seconds) > 30 * 86_400) return formatDayOf(timestamp);
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return relative.format(Math.round(seconds / size), unit);
}

/** How far the clock of test mode is ahead of ours. */
let aheadMs = 0;

/** Sets the present time. */
export function setClock(now: string): void {
  aheadMs = Date.parse(now) - Date.now();
}

/** Today in the account's time zone. */
export const today = (): string => isoMinute(Date.now() + aheadMs).slice(0, 10);

/** A moment in the form of a date-and-time field, in the account's time zone. `momentOf` reads it. */
export const momentField = (timestamp: string | null | undefined): string =>
  timestamp ? isoMinute(Date.parse(timestamp)) : '';

export function momentOf(field: string | null): string | null {
  const asUtc = Date.parse(`${field}Z`);
  if (Number.isNaN(asUtc)) return field;
  const offsetAt = (time: number) => Date.parse(`${isoMinute(time)}Z`) - time;
  // The first guess may be on the other side of a clock change.
  const guess = asUtc - offsetAt(asUtc);
  return new Date(asUtc - offsetAt(guess)).toISOString();
}

const isoMinute = (time: number): string => clock.iso.format(time).replace(' ', 'T');

/** The last day of a month, `2026-11`. */
export function lastDayOf(period: string): string {
  const [year = 0, number = 1] = period.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
