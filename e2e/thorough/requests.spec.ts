import type { Page } from '@playwright/test';
import { sql } from '../../src/db/sql.ts';
import { newId, parseId } from '../../src/ids.ts';
import { withDatabase } from '../database.ts';
import { buildEstate } from '../estate.ts';
import { expect, settled, test, walkTo } from '../fixtures.ts';

/* How many requests a page sends does not depend on how much it shows: names come with the records, not one by one. */

const records = 200;
const mostOfList = 4;
// A tenant's page shows the tenant's files, and the payments of the lease besides their own.
const mostOfRecord = 11;

/** Which requests a page sends to the API while it is opened, until no more come. */
async function askedBy(page: Page, path: string): Promise<string[]> {
  const asked: string[] = [];
  const note = (request: { url(): string }) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/internal/')) asked.push(pathname + search);
  };
  page.on('request', note);
  await page.goto(path);
  await settled(page);
  await page.waitForLoadState('networkidle');
  page.off('request', note);
  return asked;
}

/**
 * Adds houses, each with a tenant, lease, payment, charge and repair. They are written to the database directly, since
 * the API would take long.
 */
async function addRecords(dataDir: string, accountId: string): Promise<void> {
  const account = parseId('acct', accountId);
  const ids = () => Array.from({ length: records }, newId);
  const [units, tenants, leases, payments, charges, repairs] = Array.from({ length: 6 }, ids);
  const numbered = sql`unnest(${units}::uuid[], ${tenants}::uuid[], ${leases}::uuid[], ${payments}::uuid[],
    ${charges}::uuid[], ${repairs}::uuid[]) with ordinality as n(unit, tenant, lease, payment, charge, repair, number)`;
  await withDatabase(dataDir, (db) =>
    db.transaction(async (tx) => {
      await tx.query(sql`
        insert into properties (account_id, id, name, type, late_fees, status, created_at, updated_at)
        select ${account}::uuid, n.unit, 'House ' || n.number, 'other', '"inherit"', 'active', now(), now() from ${numbered}`);
      await tx.query(sql`
        insert into units (account_id, id, property_id, name, offline, created_at, updated_at)
        select ${account}::uuid, n.unit, n.unit, 'Flat ' || n.number, false, now(), now() from ${numbered}`);
      await tx.query(sql`
        insert into tenants (account_id, id, first_name, last_name, created_at, updated_at)
        select ${account}::uuid, n.tenant, 'Tenant', n.number::text, now(), now() from ${numbered}`);
      await tx.query(sql`
        insert into leases (account_id, id, property_id, unit_id, start_date, rent_cents, currency, due_day,
          rent_changes, proration, ledger_from, opening_balance_cents, late_fees, created_at, updated_at)
        select ${account}::uuid, n.lease, n.unit, n.unit, '2026-01-01', 100000, 'USD', 1,
          '[]', 'actual_days', '2100-01-01', 0, '"inherit"', now(), now() from ${numbered}`);
      await tx.query(sql`
        insert into lease_tenants (account_id, lease_id, tenant_id, position)
        select ${account}::uuid, n.lease, n.tenant, 1 from ${numbered}`);
      await tx.query(sql`
        insert into payments (account_id, id, tenant_id, lease_id, property_id, unit_id, amount_cents, currency,
          paid_on, method, status, source, lease_given, created_at, updated_at)
        select ${account}::uuid, n.payment, n.tenant, n.lease, n.unit, n.unit, 100000, 'USD',
          '2026-02-01', 'check', 'paid', 'api', false, now(), now() from ${numbered}`);
      await tx.query(sql`
        insert into charges (account_id, id, lease_id, property_id, unit_id, kind, amount_cents, currency, due_on,
          source, overdue_from, created_at, updated_at)
        select ${account}::uuid, n.charge, n.lease, n.unit, n.unit, 'fee', 500, 'USD', '2026-02-01',
          'api', '2026-02-02', now(), now() from ${numbered}`);
      await tx.query(sql`
        insert into maintenance_requests (account_id, id, number, property_id, unit_id, tenant_id, title, category,
          priority, status, source, created_at, updated_at)
        select ${account}::uuid, n.repair, 1000 + n.number, n.unit, n.unit, n.tenant, 'Repair ' || n.number, 'other',
          'medium', 'open', 'api', now(), now() from ${numbered}`);
    }),
  );
}

test('lists make few requests, however much they show, and so do the pages of records', async ({
  page,
  owner,
  receiver,
  service,
}) => {
  const estate = await buildEstate(owner, receiver.url());
  await addRecords(service.dataDir, owner.accountId);
  const { property, tenant, lease, payment, request, webhook } = estate;
  const lists = [
    '/',
    '/properties',
    '/tenants',
    '/leases',
    '/payments',
    '/charges',
    '/maintenance?view=board',
    '/overdue',
    '/maintenance',
    `/payments?tenant_id=${tenant.id}`,
    `/payments?lease_id=${lease.id}`,
    `/leases?property_id=${property.id}`,
    '/settings/webhooks',
    '/settings/api-keys',
    '/settings/team',
    '/settings/audit-log',
    '/reports/rent-roll',
  ];
  for (const path of lists) {
    const asked = await askedBy(page, path);
    expect(asked.length, `${path}: ${asked.join('\n')}`).toBeLessThanOrEqual(mostOfList);
    expect(asked.length, path).toBeGreaterThan(0);
  }
  await walkTo(page, '/leases');
  await expect(page.getByRole('table', { name: 'Leases' }).getByText('House 200, Flat 200')).toBeVisible();
  await expect(page.getByText('201 records')).toBeVisible();

  const records = [
    `/properties/${property.id}`,
    `/tenants/${tenant.id}`,
    `/leases/${lease.id}`,
    `/maintenance/${request.id}`,
    `/payments/${payment.id}`,
    `/leases/${lease.id}/edit`,
    `/maintenance/${request.id}/edit`,
    `/settings/webhooks/${webhook.id}/edit`,
  ];
  for (const path of records) {
    const asked = await askedBy(page, path);
    expect(asked.length, `${path}: ${asked.join('\n')}`).toBeLessThanOrEqual(mostOfRecord);
  }
});
