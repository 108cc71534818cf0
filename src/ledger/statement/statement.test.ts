import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectError, expectInvalid, type Fields, make } from '../../../test/support/records.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';
import type { StatementView } from './ledger.schema.ts';
import { statementPdf } from './statement-pdf.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

/** A lease with a rent of 1,000.00 since 10 October 2026, and one payment of the same amount. */
async function rented(name: Fields = {}) {
  const client = await service.client();
  const property = await make.property(client, {
    address: '12 Elm Street',
    city: 'Springfield',
    country: 'US',
  });
  const unit = await make.unit(client, { property_id: property.id, name: '2B' });
  const tenant = await make.tenant(client, name);
  const lease = await make.lease(client, {
    unit_id: unit.id,
    tenant_ids: [tenant.id],
    start_date: '2026-10-10',
    ledger_from: '2026-10-10',
    rent_cents: 100_000,
  });
  await make.payment(client, { tenant_id: tenant.id, amount_cents: 100_000, paid_on: '2026-10-12' });
  return { client, lease };
}

const pathOf = (lease: { id: string }, query = 'to=2026-11-17') => `/leases/${lease.id}/statement?${query}`;

test('a statement has the account, the home, the entries and the amount due', async () => {
  const { client, lease } = await rented();
  const answer = await client.get(pathOf(lease));
  expect(answer.status, answer.text).toBe(200);
  const statement: StatementView = answer.body.data;
  expect(statement).toMatchObject({
    account: { name: expect.any(String) },
    tenants: [{ name: 'Ada Okafor' }],
    property: { name: 'Maple Court', address: ['12 Elm Street', 'Springfield', 'US'] },
    unit: { name: '2B' },
    closing_balance: '709.68',
    due: [{ description: 'Rent for November 2026', date: '2026-11-01', open: '709.68' }],
  });
  expect(statement.entries).toHaveLength(3);
  expect(statement).not.toHaveProperty('not_counted');
});

test('as a page it can be printed, loads nothing, and shows what people wrote as text', async () => {
  const { client, lease } = await rented({ first_name: '<b>Ада</b>', last_name: "O'Neil & Søn" });
  const answer = await client.get(pathOf(lease), {
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('vary')).toMatch(/accept/i);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*'; /);
  expect(answer.text).toContain('&lt;b&gt;Ада&lt;/b&gt; O&#39;Neil &amp; Søn');
  expect(answer.text).not.toMatch(/<b>|<script|<link|<img|src=|href=/);
  for (const text of ['Rent for October 2026 (10 to 31 October)', '12 Elm Street', '-290.32', '1,000.00'])
    expect(answer.text).toContain(text);
  expect(answer.text).toContain('you owed 709.68 USD, of which 709.68 USD was overdue.');
  const link = await client.get(pathOf(lease, 'to=2026-10-31&format=html'));
  expect(link.text).toContain('nothing was owed, and you had a credit of 290.32 USD.');
  const ahead = await client.get(pathOf(lease, 'to=2027-03-31&format=html'));
  expect(ahead.text).toMatch(/As recorded so far, on 31 March 2027 you will owe/);
});

test('a payment that counts later is not called a charge', async () => {
  const { client, lease } = await rented();
  const [tenant_id] = lease.tenant_ids;
  await make.payment(client, { tenant_id, amount_cents: 40_000, paid_on: '2098-12-03' });
  const charge = { lease_id: lease.id, kind: 'fee', amount_cents: 5_000, due_on: '2099-01-01' };
  expect((await client.post('/charges', charge)).status).toBe(201);
  const { text } = await client.get(pathOf(lease, 'format=html'));
  expect(text).toMatch(/Coming up<\/h2>\n<table><tbody>\n(.*\n)*<tr><td>Fee, due on 1 January 2099<\/td>/);
  expect(text).toMatch(
    /dated later, not counted yet<\/h2>\n<table><tbody>\n<tr><td>Payment by .*, counts from 3 December 2098<\/td>/,
  );
});

test('a payment that is pending is named with its day, whatever script its payer is written in', async () => {
  const { client, lease } = await rented({ first_name: 'דוד', last_name: 'כהן' });
  const pending = { tenant_id: lease.tenant_ids[0], paid_on: '2026-11-03', status: 'pending' };
  await make.payment(client, pending);
  const { text } = await client.get(pathOf(lease, 'format=html'));
  expect(text).toMatch(
    /not counted yet<\/h2>\n.*\n<tr><td>Payment by דוד כהן, made on 3 November 2026<\/td>/,
  );
});

/** How many pages a PDF says it has. */
const pagesOf = (pdf: string): number => Number(/\/Type \/Pages\s+\/Count (\d+)/.exec(pdf)?.[1]);

test('as a PDF it can be sent', async () => {
  const { client, lease } = await rented({ last_name: 'Ελιά' });
  for (const [query, headers] of [
    ['to=2026-11-17', { accept: 'application/pdf' }],
    ['to=2026-11-17&format=pdf', {}],
  ] as const) {
    const answer = await client.get(pathOf(lease, query), headers);
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^inline; filename="statement-[\d-]{10}\.pdf"$/,
    );
    expect(answer.text).toMatch(/^%PDF-1\.\d/);
    expect(answer.text.trimEnd()).toMatch(/%%EOF$/);
    expect(pagesOf(answer.text)).toBe(1);
  }
});

test('a long statement continues over pages, and no name breaks it', async () => {
  const { client, lease } = await rented();
  const { data } = (await client.get(pathOf(lease))).body as { data: StatementView };
  const [entry] = data.entries;
  if (!entry) throw new Error('The statement is empty.');
  const names = [
    'Ада Окафор',
    'Άδα',
    '李小龍',
    'مرحبا',
    'שלום',
    '😀😀',
    'a\u0301\u200d',
    '\u0000\u001b',
    'x'.repeat(400),
  ];
  const entries = Array.from({ length: 300 }, (_, at) => ({
    ...entry,
    description: `${names[at % names.length]} ${'and more '.repeat(at % 7)}`,
  }));
  const content = await statementPdf(
    JSON.stringify({ data: { ...data, entries, tenants: names.map((name) => ({ id: '', name })) } }),
  );
  expect(pagesOf(Buffer.from(content).toString('latin1'))).toBeGreaterThan(8);
});

test('another account has no such statement, and errors stay JSON', async () => {
  const { client, lease } = await rented();
  const other = await service.client();
  expectError(await other.get(pathOf(lease), { accept: 'application/pdf' }), 404, 'Not found');
  expectInvalid(await client.get(pathOf(lease, 'to=x&format=html')), 'to');
});

test('while an account has twenty long PDFs made, others are answered at once', async () => {
  const { client, lease } = await rented();
  await client.patch(`/leases/${lease.id}`, { start_date: '2024-10-10', ledger_from: '2024-10-10' });
  const weekly = {
    lease_id: lease.id,
    kind: 'parking',
    amount_cents: 1_000,
    every: 'week',
    starts_on: '2024-10-10',
  };
  expect((await client.post('/recurring-charges', weekly)).status).toBe(201);
  const other = await rented();

  const answered: string[] = [];
  const pdf = async (of: { client: Client; lease: { id: string } }, name: string) => {
    const { status } = await of.client.get(pathOf(of.lease, 'to=2026-11-17&format=pdf'));
    answered.push(`${name} ${status}`);
  };
  const many = Array.from({ length: 20 }, () => pdf({ client, lease }, 'long'));
  const own = pdf(other, 'short');
  for (let count = 0; count < 10; count++) await other.client.get('/properties');
  answered.push('lists');
  await Promise.all([...many, own]);
  expect(answered).toHaveLength(22);
  expect(answered.filter((each) => each === 'long 200')).toHaveLength(20);
  // The lists did not wait for any PDF, and the PDF waited at most for its turn.
  expect(answered.indexOf('lists')).toBeLessThan(10);
  expect(answered.indexOf('short 200')).toBeLessThan(10);
});
