import { clock } from '../caller.ts';
import { todayIn } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import type { WithId } from '../db/records/columns.ts';
import { missing } from '../db/violations.ts';
import { type AppError, invalidField } from '../errors.ts';
import { recordRows, type Writing } from '../events/writer.ts';
import { isTestAccount } from '../ids.ts';
import { inTimeOf } from '../ledger/account-clocks.ts';
import {
  addCheck,
  findAccountsToCheck,
  findMoves,
  findNamed,
  markingLeases,
  movePayments,
  type Named,
  putOffChecks,
  takeChecks,
} from './payment-leases.store.ts';
import type { PaymentRow } from './payments.columns.ts';
import { paymentShape } from './payments.store.ts';

type Payment = WithId<PaymentRow>;

/**
 * Called after leases were made, or got other dates or tenants. Payments of these tenants go to the lease that the rule
 * now chooses, so that it does not matter what was entered first. Those that name a lease or a charge stay, and so do
 * those for which there is no other lease, and those for a lease that the tenant has left.
 */
export async function chooseLeasesAgain(tx: Db, how: Writing, tenantIds: string[]): Promise<void> {
  // Workers look again in real time.
  const now = isTestAccount(how.accountId) ? new Date() : how.now;
  await addCheck(tx, how.accountId, tenantIds, now);
  await moveToTheirLeases(tx, how, tenantIds);
}

/**
 * Does this once more for leases that changed a while ago. A payment that was being written at that moment did not see
 * the change, nor the change the payment. Making each wait for the other would hold up payments for as long as an
 * import of leases takes. One look is not enough, because a payment may itself be part of a long import. Returns
 * whether there was anything to do.
 */
export async function checkPayments(db: Db, now: Date): Promise<boolean> {
  let isDone = false;
  for (const { account_id: accountId, time_zone } of await findAccountsToCheck(db, now))
    await db.transaction(async (tx) => {
      const checks = await takeChecks(tx, accountId, now);
      if (checks.length === 0) return;
      isDone = true;
      const tenantIds = new Set(checks.flatMap(({ tenant_ids }) => tenant_ids));
      await inTimeOf(tx, accountId, now, (at) => {
        const how = { accountId, actor: clock, now: at, today: todayIn(time_zone, at), events: true };
        return moveToTheirLeases(tx, how, [...tenantIds]);
      });
      const ids = checks.map(({ id }) => id);
      await putOffChecks(tx, accountId, ids, now);
    });
  return isDone;
}

async function moveToTheirLeases(tx: Db, how: Writing, tenantIds: string[]): Promise<void> {
  const { accountId, now } = how;
  const moves = await findMoves(tx, accountId, tenantIds);
  if (moves.length === 0) return;
  const ids = moves.map(({ id }) => id);
  await recordRows(tx, how, {
    shape: paymentShape,
    rows: movePayments(accountId, moves, now),
    ids,
    events: ['payment.updated'],
    ...(await markingLeases(tx, accountId, ids)),
  });
}

/**
 * Fills in the lease of new payments that name it, or a charge of it. Returns an error for each payment that names
 * something that does not fit. `exported` are the ids of those that come from an export: their tenants may have left the
 * lease since.
 */
export function nameLeases(
  db: Db,
  accountId: string,
  added: Payment[],
  exported?: ReadonlySet<string>,
): Promise<Map<string, AppError>> {
  for (const payment of added) payment.lease_given = payment.lease_id !== null;
  return fillIn(
    db,
    accountId,
    added.filter(({ lease_given, charge_id }) => lease_given || charge_id !== null),
    { exported },
  );
}

/** The same for changed payments. The lease is null if it is to be chosen again: only a new day moves a payment. */
export async function renameLeases(
  db: Db,
  accountId: string,
  changed: Payment[],
  before: Map<string, Payment>,
): Promise<Map<string, AppError>> {
  const naming: Payment[] = [];
  const again: Payment[] = [];
  for (const payment of changed) {
    const old = before.get(payment.id);
    const moves = payment.lease_id !== null && payment.lease_id !== old?.lease_id;
    payment.lease_given = payment.lease_id !== null && (payment.lease_given || moves);
    const namesCharge = payment.charge_id !== null && payment.charge_id !== old?.charge_id;
    if (moves || namesCharge) naming.push(payment);
    else if (payment.charge_id !== null) payment.lease_id = old?.lease_id ?? null;
    else if (!payment.lease_given && (old?.lease_given || old?.charge_id || old?.paid_on !== payment.paid_on))
      again.push(payment);
  }
  await letRuleChoose(db, accountId, again, before);
  return fillIn(db, accountId, naming, { before });
}

/** Payments for a lease that their tenant has left stay there. */
async function letRuleChoose(
  db: Db,
  accountId: string,
  again: Payment[],
  before: Map<string, Payment>,
): Promise<void> {
  if (again.length === 0) return;
  for (const payment of again) payment.lease_id = before.get(payment.id)?.lease_id ?? null;
  const current = again.map(({ id, tenant_id, lease_id }) => ({ id, tenant_id, lease_id, charge_id: null }));
  const found = new Map((await findNamed(db, accountId, current)).map((one) => [one.id, one.has_lease]));
  for (const payment of again) if (found.get(payment.id)) payment.lease_id = null;
}

async function fillIn(
  db: Db,
  accountId: string,
  naming: Payment[],
  { before, exported }: { before?: Map<string, Payment>; exported?: ReadonlySet<string> | undefined },
): Promise<Map<string, AppError>> {
  const wrong = new Map<string, AppError>();
  if (naming.length === 0) return wrong;
  const rows = naming.map(({ id, tenant_id, lease_id, lease_given, charge_id }) => ({
    id,
    tenant_id,
    lease_id: lease_given ? lease_id : null,
    charge_id,
  }));
  const named = new Map((await findNamed(db, accountId, rows)).map((one) => [one.id, one]));
  for (const payment of naming) {
    const found = named.get(payment.id);
    const mayHaveLeft = exported?.has(payment.id) === true && found?.has_tenant === true;
    const problem =
      found === undefined
        ? missing('tenant_id')
        : misfit(payment, { ...found, has_lease: found.has_lease || mayHaveLeft }, before?.get(payment.id));
    if (problem !== null) wrong.set(payment.id, problem);
    else payment.lease_id = found?.charge_lease_id ?? payment.lease_id;
  }
  return wrong;
}

function misfit(
  { lease_id, lease_given, charge_id }: Payment,
  { has_tenant, has_lease, charge_lease_id }: Named,
  before: Payment | undefined,
): AppError | null {
  if (!has_tenant) return missing('tenant_id');
  if (lease_given && !has_lease && lease_id !== before?.lease_id)
    return invalidField('lease_id', "Must be one of the tenant's leases.");
  if (charge_id === null) return null;
  if (charge_lease_id === null)
    return invalidField('charge_id', 'There is no charge with this id here, or it was voided.');
  if (lease_given && charge_lease_id !== lease_id)
    return invalidField('charge_id', 'Must be a charge of the lease of the payment.');
  if (!has_lease && charge_lease_id !== before?.lease_id)
    return invalidField('charge_id', "Must be a charge of one of the tenant's leases.");
  return null;
}
