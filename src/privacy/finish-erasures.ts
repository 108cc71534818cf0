import { days, hours, minutes } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { lowestIdAt } from '../ids.ts';
import type { Log } from '../log.ts';
import { type SecretBox, UnreadableSecret } from '../secrets/secret-box.ts';
import { mapInSlices, TimeSlice } from '../system/time-slices.ts';
import { type AboutTenant, findAboutDeleted, findAboutTenant } from './about-tenant.store.ts';
import { redactionOf, redactText } from './redact.ts';
import * as store from './unfinished.store.ts';

/*
 * No index says which events are about a tenant, and there may be millions. So they are searched one batch at a time,
 * each in a transaction of its own that also notes how far it came. Any process can continue from there.
 */

/**
 * Everything is searched again after these times, because a request under way during the erasure may have written the
 * tenant's data to an event, or a delivery its answer, after the first search had passed.
 */
const lookAgainMs = [minutes(1), hours(1)];
/** Such a request may have begun this long before the erasure. */
const underWayMs = hours(1);

/** Does a batch for each account that has something left. Returns whether anything was done. */
export async function finishErasures(db: Db, secrets: SecretBox, log: Log, now: Date): Promise<boolean> {
  let isDone = false;
  for (const { account_id } of await store.findAccountsToErase(db, now))
    try {
      if (await finishSome(db, secrets, account_id, now)) isDone = true;
    } catch (error) {
      // The other accounts do not wait for this one. It is tried again in a while.
      log.error({ err: error, accountId: account_id }, 'an erasure could not continue');
    }
  return isDone;
}

/**
 * Does a batch of one erasure: that of a tenant, or any. Returns false if none is due, or another process is working on
 * it.
 */
export function finishSome(
  db: Db,
  secrets: SecretBox,
  accountId: string,
  now: Date,
  tenantId: string | null = null,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const unfinished = await store.takeUnfinished(tx, accountId, now, tenantId);
    if (unfinished === null) return false;
    const { tenant_id } = unfinished;
    // A tenant who has been deleted since has no name to look for, but events still contain the id.
    const about =
      (await findAboutTenant(tx, accountId, tenant_id)) ?? (await findAboutDeleted(tx, accountId, tenant_id));
    const position = await take(tx, secrets, about, unfinished, now);
    await store.putUnfinished(tx, accountId, ...nextOf({ ...unfinished, position }, now));
    return true;
  });
}

/** Where to continue, and when. */
function nextOf(unfinished: store.Unfinished, now: Date): [store.Unfinished, Date | null] {
  if (unfinished.position !== null) return [unfinished, now];
  const step = store.steps[store.steps.indexOf(unfinished.step) + 1];
  if (step !== undefined) return [{ ...unfinished, step }, now];
  const again = lookAgainMs[unfinished.looks];
  const looks = unfinished.looks + 1;
  return [
    { ...unfinished, step: 'events', looks },
    again === undefined ? null : new Date(now.getTime() + again),
  ];
}

async function take(
  tx: Db,
  secrets: SecretBox,
  about: AboutTenant,
  { step, position, looks, erased_at }: store.Unfinished,
  now: Date,
): Promise<store.Position> {
  // A delivery's id contains the time of its event, and it may be tried again for days after that.
  const all = looks === 0 || step === 'deliveries' || step === 'attempts';
  const since = lowestIdAt(all ? new Date(0) : new Date(erased_at.getTime() - underWayMs));
  if (step === 'deliveries') return store.eraseResponses(tx, about, position, since);
  if (step === 'attempts') return store.eraseAttempts(tx, about, position, since);
  return step === 'events'
    ? redactEvents(tx, about, position, since)
    : redactAnswers(tx, secrets, about, position, now);
}

async function redactEvents(
  tx: Db,
  about: AboutTenant,
  position: store.Position,
  since: string,
): Promise<store.Position> {
  const redaction = redactionOf(about);
  const { rows, next } = await store.findEvents(tx, about, position, since);
  const redacted = await mapInSlices(rows, ({ id, body }) => {
    const text = body === null ? null : redactText(body, redaction);
    return text === null || text === body ? [] : [{ id, body: text }];
  });
  await store.replaceBodies(tx, about.accountId, redacted.flat());
  return next;
}

async function redactAnswers(
  tx: Db,
  secrets: SecretBox,
  about: AboutTenant,
  position: store.Position,
  now: Date,
): Promise<store.Position> {
  const notes = await store.findNotes(tx, about, new Date(now.getTime() - days(2)));
  const redaction = redactionOf(about, notes);
  const { rows, next } = await store.findAnswers(tx, about, position);
  const slice = new TimeSlice();
  for (const answer of rows) {
    if (slice.isOver()) await slice.next();
    const text = readAnswer(secrets, answer.body);
    const redacted = text === null ? null : redactText(text, redaction);
    if (redacted !== null && redacted !== text)
      await store.replaceAnswer(tx, about.accountId, answer, secrets.encrypt(redacted));
  }
  return next;
}

/** Null if nobody can read it any longer. */
function readAnswer(secrets: SecretBox, body: Buffer): string | null {
  try {
    return secrets.decrypt(body);
  } catch (error) {
    if (error instanceof UnreadableSecret) return null;
    throw error;
  }
}
