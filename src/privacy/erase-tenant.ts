import { audit } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { getRecord } from '../db/records/shape.ts';
import { forgetImportKeys } from '../deletion/delete-record.ts';
import { conflict, notFound } from '../errors.ts';
import { changeQuietly, recordChange } from '../events/record.ts';
import { type Writing, writing } from '../events/writer.ts';
import { deleteFilesOf } from '../files/files.ts';
import { formatId } from '../ids.ts';
import { forgetWhatFilesSaid } from '../imports/queue/queue.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { tenantWriter } from '../tenants/tenants.ts';
import { forgetViewsAbout } from '../views/views.ts';
import { type AboutTenant, findAboutTenant, recordsOf } from './about-tenant.store.ts';
import * as store from './erasure.store.ts';
import { finishSome } from './finish-erasures.ts';
import { mentionsOf } from './mentions.ts';
import { erasedNote, redactChanges, redactionOf } from './redact.ts';

/** How many rows one statement writes. */
const atOnce = 1_000;

/** Usually everything is done within this time. If not, workers continue. */
const finishWithinMs = 5_000;

/**
 * Erases the personal data of a tenant, and leaves every amount, date and reference as it is. Their records are
 * erased in one transaction. Events, deliveries and kept answers follow at once, and are finished even if this
 * process is not.
 */
export async function eraseTenant(
  db: Db,
  secrets: SecretBox,
  caller: Caller,
  tenantId: string,
  now: Date,
  /** Workers look again in real time. */
  realNow = now,
): Promise<string> {
  const how = writing(caller, now);
  const { accountId } = how;
  await db.transaction((tx) => eraseRecords(tx, caller, how, tenantId, realNow));
  const until = performance.now() + finishWithinMs;
  while (performance.now() < until && (await finishSome(db, secrets, accountId, realNow, tenantId)));
  return getRecord(db, tenantWriter.shape(accountId, how.today), accountId, tenantId);
}

async function eraseRecords(
  tx: Db,
  caller: Caller,
  how: Writing,
  tenantId: string,
  realNow: Date,
): Promise<void> {
  const { accountId, today } = how;
  if (!(await store.lockTenant(tx, accountId, tenantId))) throw notFound();
  await store.noteErasure(tx, accountId, tenantId, realNow);
  const about = await findAboutTenant(tx, accountId, tenantId);
  if (about === null) throw notFound();
  if (await store.hasUnendedLease(tx, about, today))
    throw conflict(
      'lease_not_ended',
      'This tenant has a lease that has not ended, which needs their name. End it first.',
    );
  for (const texts of store.textsOf(about)) await eraseTexts(tx, how, texts);
  await store.eraseRefunds(tx, about);
  await deleteFilesOf(tx, how, recordsOf(about, about.ownLeaseIds), { erased: true });
  const mentions = await mentionsOf(tx, accountId, tenantId);
  // Read once the rows are locked, because changes under way have written their history by then.
  await eraseHistory(tx, about);
  // The keys of payments stay, so that no payment is imported twice.
  await forgetImportKeys(tx, accountId, 'tenant', [tenantId]);
  await forgetWhatFilesSaid(tx, accountId, mentions);
  await store.forgetSearches(tx, accountId);
  await forgetViewsAbout(tx, accountId, mentions);
  await eraseRow(tx, how, tenantId);
  await audit(tx, caller, 'tenant.erased', { subject: formatId('ten', tenantId) });
}

export async function eraseHistory(tx: Db, about: AboutTenant): Promise<void> {
  const redaction = redactionOf(about);
  const entries = (await store.findHistory(tx, about)).flatMap(({ note, changes, ...entry }) => {
    const redacted = {
      note: note === null ? null : erasedNote,
      changes: changes === null ? null : redactChanges(changes, redaction),
    };
    return redacted.note === note && redacted.changes === changes ? [] : [{ ...entry, ...redacted }];
  });
  for (let at = 0; at < entries.length; at += atOnce)
    await store.replaceHistory(tx, about.accountId, entries.slice(at, at + atOnce));
}

async function eraseTexts(tx: Db, { accountId, actor, now }: Writing, texts: store.Texts): Promise<void> {
  const ids = await store.lockTexts(tx, texts);
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce);
    const rows = store.eraseTexts(accountId, some, texts, now);
    await changeQuietly(tx, {
      accountId,
      actor,
      shape: texts.shape,
      rows,
      count: some.length,
      action: 'erased',
    });
  }
}

/**
 * Erasing has an event like any change of a tenant. It is never refused because too many deliveries are waiting,
 * because it has to be done.
 */
async function eraseRow(tx: Db, { accountId, actor, now, today }: Writing, tenantId: string): Promise<void> {
  const shape = tenantWriter.shape(accountId, today);
  const told = await recordChange(tx, {
    accountId,
    actor,
    shape,
    rows: store.eraseTenantRow(accountId, tenantId, now),
    events: ['tenant.updated'],
    action: 'erased',
  });
  if (told.length > 0) return;
  const rows = store.selectTenant(accountId, tenantId);
  await changeQuietly(tx, { accountId, actor, shape, rows, action: 'erased' });
}
