import { days, minutes } from '../clock.ts';

/** A session that nobody uses ends after this long. */
const idleMs = days(30);
/** A session ends after this long however much it is used, so a copied cookie does not work for ever. */
const longestMs = days(90);

/**
 * How long better-auth keeps a session that it prolonged, and the browser its cookie. Sessions are prolonged once a
 * day, so this is one day more than may pass without use. endOf() is the exact end.
 */
export const keptSeconds = 31 * 86_400;
export const prolongAfterSeconds = 86_400;

export const isToProlong = (expiresAt: Date, now: Date): boolean =>
  expiresAt.getTime() - 1000 * (keptSeconds - prolongAfterSeconds) <= now.getTime();

/** Every use counts, but not every use is worth a write. */
export const noteUseAfterMs = minutes(5);

export interface Times {
  createdAt: Date;
  lastUsedAt: Date;
}

/** When a session ends if it is not used again. */
export const endOf = ({ createdAt, lastUsedAt }: Times): Date =>
  new Date(Math.min(lastUsedAt.getTime() + idleMs, lastEndOf({ createdAt }).getTime()));

/** The latest time at which a session ends. */
export const lastEndOf = ({ createdAt }: Pick<Times, 'createdAt'>): Date =>
  new Date(createdAt.getTime() + longestMs);

/** Sessions last used, or begun, before these moments have ended. */
export const endedBefore = (now: Date): Times => ({
  lastUsedAt: new Date(now.getTime() - idleMs),
  createdAt: new Date(now.getTime() - longestMs),
});
