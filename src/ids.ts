import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { V7Generator } from 'uuidv7';
import { days } from './clock.ts';

/**
 * Ids are UUIDv7 in the database and `<prefix>_<32 hex>` outside. Because the first 48 bits are the
 * time in milliseconds, an id's order is the order of creation, and created_at is read out of it.
 */
export const idPrefixes = {
  property: 'prop',
  unit: 'unit',
  tenant: 'ten',
  lease: 'lease',
  payment: 'pay',
  charge: 'chg',
  credit: 'crd',
  recurringCharge: 'rec',
  depositRefund: 'ref',
  maintenanceRequest: 'mnt',
  file: 'file',
  webhook: 'we',
  event: 'evt',
  delivery: 'dlv',
  apiKey: 'key',
  account: 'acct',
  user: 'usr',
  member: 'mem',
  invitation: 'inv',
  session: 'ses',
  request: 'req',
  historyEntry: 'hst',
  auditEntry: 'aud',
  passkey: 'psk',
  import: 'imp',
  savedView: 'view',
} as const;

export type IdPrefix = (typeof idPrefixes)[keyof typeof idPrefixes];

/** Fetches random numbers by the thousand: asking for a few at a time takes longer than the rest of making an id. */
class BufferedRandom {
  readonly #numbers = new Uint32Array(1024);
  #next = this.#numbers.length;

  nextUint32(): number {
    if (this.#next === this.#numbers.length) {
      randomFillSync(this.#numbers);
      this.#next = 0;
    }
    return this.#numbers[this.#next++] as number;
  }
}

/*
 * If the clock is set back, ids stay at the time they had reached and keep counting until the clock has caught up.
 * Records created later must not be listed before existing ones, because a reader who continues from the last record
 * seen would miss them. If the clock was wrong by more than a day, the right time counts.
 */
const random = new BufferedRandom();

function newGenerator(): V7Generator {
  const made = new V7Generator(random);
  made.setRollbackAllowance(days(1));
  return made;
}

interface Time {
  aheadMs: number;
  generator: V7Generator;
}

const realTime: Time = { aheadMs: 0, generator: newGenerator() };

/*
 * In a test account whose clock was moved, ids have its time. What belongs to an account is made in many places, and
 * none of them should have to know about this, so the time goes with the work, like a time zone.
 */
const otherTime = new AsyncLocalStorage<Time>();
/** Each test account counts by itself. None may push on another's ids, let alone the real ones. */
const generators = new LRUCache<string, V7Generator>({ max: 1_000, memoMethod: newGenerator });

/** Does the work for an account whose clock is ahead of ours. The ids it makes have that time. */
export const inTimeAhead = <Result>(accountId: string, aheadMs: number, work: () => Result): Result =>
  aheadMs === 0 ? work() : otherTime.run({ aheadMs, generator: generators.memo(accountId) }, work);

/** Does work that stays on real time even in a test account: keys, deliveries. */
export const inRealTime = <Result>(work: () => Result): Result => otherTime.run(realTime, work);

const timeNow = (): Time => otherTime.getStore() ?? realTime;

export function newId(): string {
  const { generator, aheadMs } = timeNow();
  return generator.generateOrResetWithTs(Date.now() + aheadMs).toString();
}

/**
 * Makes ids for several days of a clock that is ahead of ours, in any order: those of a day come after each other, and
 * before those of later days.
 */
export function idsByDay(aheadOn: (day: string) => number): (day: string) => string {
  const made = new Map<string, V7Generator>();
  return (day) => {
    const generator = made.get(day) ?? newGenerator();
    made.set(day, generator);
    return generator.generateOrResetWithTs(Date.now() + aheadOn(day)).toString();
  };
}

/** Makes all further ids come after this one, which another process or an earlier start has made. */
export function continueAfter(uuid: string): void {
  const { generator, aheadMs } = timeNow();
  const now = Date.now() + aheadMs;
  const time = idTime(uuid).getTime();
  if (time < now + days(1)) generator.generateOrResetWithTs(Math.max(time + 1, now));
}

/**
 * Ids of test accounts have version 8 instead of 7. So anybody who has an account's id knows whether it is a test
 * account, without asking the database.
 */
export function newTestAccountId(): string {
  const id = newId();
  return `${id.slice(0, 14)}8${id.slice(15)}`;
}

export const isTestAccount = (accountId: string): boolean => accountId[14] === '8';

/** The time inside an id, which the record's created_at is set to. */
export function idTime(uuid: string): Date {
  return new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));
}

/** The smallest id that anything created at or after `time` can have. */
export function lowestIdAt(time: Date): string {
  const ms = Math.min(Math.max(time.getTime(), 0), 2 ** 48 - 1);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

export function formatId(prefix: IdPrefix, uuid: string): string {
  return `${prefix}_${withoutDashes(uuid)}`;
}

const hex32 = /^[0-9a-f]{32}$/;

/** The uuid of a public id, or null if it is not an id of this kind. */
export function parseId(prefix: IdPrefix, text: string): string | null {
  if (!text.startsWith(`${prefix}_`)) return null;
  const hex = text.slice(prefix.length + 1);
  return hex32.test(hex) ? withDashes(hex) : null;
}

/** Slices by position: `replaceAll` takes three times as long. */
export function withoutDashes(uuid: string): string {
  return uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24);
}

export function withDashes(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
