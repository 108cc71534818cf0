import { expect } from 'vitest';
import { make } from './records.ts';
import type { Client, Service } from './service.ts';

/** Makes it noon UTC on this day for the service. */
export function itIs(service: Service, day: string): void {
  service.app.now = () => new Date(`${day}T12:00:00.000Z`);
}

/** A lease from 10 October for 1,000.00 a month, whose ledger contains all of it. */
export const octoberLease = (client: Client, fields: object = {}) =>
  make.lease(client, {
    start_date: '2026-10-10',
    ledger_from: '2026-10-01',
    rent_cents: 100_000,
    ...fields,
  });

/** The charges of a lease in one line each, oldest due day first. Voided ones show their reason. */
export async function chargesOf(client: Client, leaseId: string): Promise<string[]> {
  const { body } = await client.get(`/charges?lease_id=${leaseId}`);
  return body.data
    .map((charge: Record<string, string>) =>
      [charge.due_on, charge.kind, charge.amount, charge.status, charge.open, charge.void_reason]
        .filter(Boolean)
        .join(' '),
    )
    .sort();
}

/** Makes a deposit of the lease that is held from a day on. */
export async function holdDeposit(
  client: Pick<Client, 'post'>,
  lease_id: string,
  day: string,
): Promise<void> {
  const entry = { lease_id, amount_cents: 500 };
  const { body } = await client.post('/charges', { ...entry, kind: 'deposit', due_on: day });
  const credit = { ...entry, charge_id: body.data.id, reason: 'adjustment', credited_on: day };
  expect((await client.post('/credits', credit)).status).toBe(201);
}
