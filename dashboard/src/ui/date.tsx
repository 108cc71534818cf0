const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const localDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const month = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const shortMonth = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });
const minute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const second = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'long' });

/** A calendar date, `2026-11-15`, in the reader's locale. */
export const formatDay = (date: string) => day.format(new Date(`${date}T00:00:00Z`));
/** A month, `2026-11`. */
export const formatMonth = (period: string) => month.format(new Date(`${period}-01T00:00:00Z`));
export const formatShortMonth = (period: string) => shortMonth.format(new Date(`${period}-01T00:00:00Z`));
export const formatMoment = (timestamp: string) => minute.format(new Date(timestamp));
export const formatSecond = (timestamp: string) => second.format(new Date(timestamp));

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
  if (Math.abs(seconds) > 30 * 86_400) return localDay.format(new Date(timestamp));
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return relative.format(Math.round(seconds / size), unit);
}

let calendar = calendarIn('UTC');

/** From now on, today is the day in this time zone: the account's, as for the server. */
export function liveIn(timeZone: string): void {
  calendar = calendarIn(timeZone);
}

/** Canada writes dates as ISO 8601 does. */
function calendarIn(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
}

/** How far the clock of test mode is ahead of ours. */
let aheadMs = 0;

/** From now on, it is this time. */
export function setClock(now: string): void {
  aheadMs = Date.parse(now) - Date.now();
}

/** Today in the account's time zone. */
export const today = (): string => calendar.format(new Date(Date.now() + aheadMs));

/** The last day of a month, `2026-11`. */
export function lastDayOf(period: string): string {
  const [year = 0, number = 1] = period.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
