import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs, seed } from './abuse/fuzz/settings.ts';
import { importAll } from './support/csv.ts';
import { itIs } from './support/ledger.ts';
import { dayOne, maybe, policy, someCents, terms } from './support/ledger-facts.ts';
import { type Charge, plus } from './support/ledger-model.ts';
import { eventsOf, make } from './support/records.ts';
import { type Client, type Service, testService } from './support/service.ts';
import { startClock, turnDays } from './support/turn-days.ts';

/*
 * The same facts about two flats and two tenants, entered in four accounts: as they happen, while days go by and fees
 * are charged; in the same way in test mode, whose clock is moved from one to the next; all of them long afterwards, in
 * any order; and long afterwards from CSV files. All four accounts must end up the same.
 */

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const day = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((days) => plus(dayOne, days));
const index = fc.nat(1);
const lastDay = plus(dayOne, 100);

const facts = fc.record({
  policy,
  leases: fc.tuple(
    fc.record({ terms, before: fc.constantFrom('as it is', 'another rent', 'without an end') }),
    fc.record({ terms, before: fc.constantFrom('as it is', 'another start', 'another due day') }),
  ),
  charges: fc.array(
    fc.record({
      lease: index,
      kind: fc.constantFrom('utility', 'repair'),
      amount_cents: someCents,
      due_on: day(0, 90),
    }),
    { maxLength: 3, size: 'max' },
  ),
  recurring: maybe(
    fc.record({
      lease: index,
      amount_cents: someCents,
      every: fc.constantFrom('week', 'month'),
      starts_on: day(0, 60),
    }),
    1,
  ),
  credits: fc.array(
    fc.record({
      lease: index,
      amount_cents: someCents,
      credited_on: day(0, 95),
      ofCharge: maybe(fc.nat(2), 1),
    }),
    { maxLength: 2 },
  ),
  payments: fc.array(
    fc.record({
      tenant: index,
      amount_cents: someCents,
      paid_on: day(0, 95),
      reversedAfter: maybe(fc.nat(20), 2),
      month: maybe(fc.constantFrom('2027-12', '2028-01'), 2),
    }),
    { maxLength: 8, size: 'max' },
  ),
  order: fc.array(fc.nat(1_000), { minLength: 30, maxLength: 30 }),
});
type Facts = typeof facts extends fc.Arbitrary<infer Value> ? Value : never;

type Shown = Charge & { lease_id: string; open_cents: number; voided_on: string | null };

/** Something to be entered, with the day on which it happened and what must exist before. */
interface Entry {
  on: string;
  after: Entry | null;
  enter(): Promise<unknown>;
}

test(`the same facts in any order give the same ledger (FUZZ_SEED=${seed})`, {
  timeout: 4 * 60 * 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(facts, async (given) => {
      const expected = await afterAllDays(await account(given, 'by day'));
      // Charges of one day are paid in the order in which they were entered, and that order differs here.
      const dayOf = ({ lease_id, due_on }: Shown) => `${lease_id} ${due_on}`;
      const rents = new Set(expected.charges.filter(({ kind }) => kind === 'rent').map(dayOf));
      fc.pre(!expected.charges.some((each) => !/rent|deposit/.test(each.kind) && rents.has(dayOf(each))));

      const { figures, events } = await afterAllDays(await account(given, 'in test mode'));
      expect(figures).toEqual(expected.figures);
      expect(events).toEqual(expected.events);

      const longAfter = await account(given, 'at once');
      await longAfter.beginAnew(lastDay);
      for (const entry of shuffled(longAfter.entries, given.order)) await entry.enter();
      expect((await longAfter.ledger()).figures).toEqual(expected.figures);

      const fromFiles = await account(given, 'at once');
      await fromFiles.beginAnew(lastDay);
      await fromFiles.importAll();
      expect((await fromFiles.ledger()).figures).toEqual(expected.figures);
    }),
    { numRuns: runs(12, 2_000), seed },
  );
});

async function afterAllDays({ entries, passTime, ledger }: Account) {
  for (const [at, entry] of inTime(entries)) {
    await passTime(at);
    await entry.enter();
  }
  await passTime(lastDay);
  return ledger();
}

/** In the order of their days, except that what needs another entry comes after it. */
function inTime(entries: Entry[]): [string, Entry][] {
  const dayOf = ({ on, after }: Entry): string => {
    const needed = after ? dayOf(after) : dayOne;
    return on < needed ? needed : on > lastDay ? lastDay : on;
  };
  return entries
    .map((entry): [string, Entry] => [dayOf(entry), entry])
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function shuffled(entries: Entry[], order: number[]): Entry[] {
  const left = [...entries];
  const done: Entry[] = [];
  for (let at = 0; left.length > 0; at++) {
    const ready = left.filter(({ after }) => after === null || done.includes(after));
    const next = ready[(order[at % order.length] ?? 0) % ready.length] as Entry;
    left.splice(left.indexOf(next), 1);
    done.push(next);
  }
  return done;
}

type Account = Awaited<ReturnType<typeof account>>;

async function account(
  { policy: fining, leases, charges, recurring, credits, payments }: Facts,
  how: 'by day' | 'in test mode' | 'at once',
) {
  let today = dayOne;
  itIs(service, today);
  const live = await service.client();
  const client: Client = how === 'in test mode' ? await service.trialOf(live) : live;
  const passTime = async (to: string) => {
    if (how === 'in test mode') {
      if (to > today) await send('post', '/test/clock/advance', { to: `${to}T12:00:00Z` });
    } else {
      itIs(service, to);
      await turnDays(service, client.accountId);
    }
    today = to;
  };
  /** Skips the days until then, since there was nothing yet that they could have charged. */
  const beginAnew = async (on: string) => {
    today = on;
    itIs(service, on);
    await startClock(service, client.accountId);
  };
  await beginAnew(dayOne);
  const send = async (method: 'post' | 'patch', path: string, body: object) => {
    const answer = await client[method](path, body);
    expect(answer.status, `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`).toBeLessThan(300);
    return answer.body.data;
  };
  await send('patch', '/account', { late_fees: fining });
  const property = await make.property(client);
  const units = [
    await make.unit(client, { property_id: property.id }),
    await make.unit(client, { property_id: property.id }),
  ];
  const tenants = [await make.tenant(client), await make.tenant(client, { first_name: 'Ben' })];

  const leaseIds: string[] = [];
  const chargeIds: string[] = [];
  const fieldsOf = (at: number) => ({
    unit_id: units[at].id as string,
    tenant_ids: [tenants[at].id as string],
    ...leases[at as 0 | 1].terms,
  });
  const entries: Entry[] = [];
  const add = (on: string, after: Entry | null, enter: Entry['enter']): Entry => {
    const entry = { on, after, enter };
    entries.push(entry);
    return entry;
  };
  const made = leases.map(({ before }, at) => {
    const fields = fieldsOf(at);
    const first = { ...fields, ...(how !== 'at once' ? otherwise(before, fields) : {}) };
    const lease = add(dayOne, null, async () => {
      leaseIds[at] = (await send('post', '/leases', first)).id;
    });
    const { unit_id: _, ...final } = fields;
    if (how !== 'at once')
      add(plus(dayOne, 50), lease, () => send('patch', `/leases/${leaseIds[at]}`, final));
    return lease;
  });
  const madeCharges = charges.map(({ lease, ...charge }, at) =>
    add(charge.due_on, made[lease] ?? null, async () => {
      chargeIds[at] = (await send('post', '/charges', { lease_id: leaseIds[lease], ...charge })).id;
    }),
  );
  if (recurring) {
    const { lease, ...rest } = recurring;
    add(rest.starts_on, made[lease] ?? null, () =>
      send('post', '/recurring-charges', { lease_id: leaseIds[lease], kind: 'parking', ...rest }),
    );
  }
  credits.forEach(({ lease, ofCharge, ...credit }) => {
    const of = ofCharge !== null && charges[ofCharge]?.lease === lease ? ofCharge : null;
    add(credit.credited_on, of === null ? (made[lease] ?? null) : (madeCharges[of] ?? null), () =>
      send('post', '/credits', {
        lease_id: leaseIds[lease],
        reason: 'concession',
        charge_id: of === null ? null : chargeIds[of],
        ...credit,
      }),
    );
  });
  for (const { tenant, amount_cents, paid_on, reversedAfter, month } of payments) {
    const payment = {
      tenant_id: tenants[tenant].id as string,
      amount_cents,
      paid_on,
      period: month,
      currency: 'USD',
    };
    const reversal =
      reversedAfter === null ? {} : { status: 'returned', reversed_on: plus(paid_on, reversedAfter) };
    if (how === 'at once') add(paid_on, null, () => send('post', '/payments', { ...payment, ...reversal }));
    else {
      let id = '';
      const paid = add(paid_on, null, async () => {
        id = (await send('post', '/payments', payment)).id;
      });
      if (reversedAfter !== null)
        add(plus(paid_on, reversedAfter), paid, () => send('patch', `/payments/${id}`, reversal));
    }
  }

  return {
    entries,
    passTime,
    beginAnew,

    /** Imports leases, payments, charges and credits from files. What a file cannot contain is entered by hand. */
    async importAll(): Promise<void> {
      const { now } = service.app;
      const rows = [0, 1].map((at) => {
        const { tenant_ids, rent_changes: _, ...fields } = fieldsOf(at);
        return { ...fields, tenant_ids: tenant_ids.join() };
      });
      await importAll(service, client, { leases: csv(rows) }, { now: now() });
      const { body } = await client.get('/leases');
      for (const [at, unit] of units.entries()) {
        leaseIds[at] = body.data.find(({ unit_id }: { unit_id: string }) => unit_id === unit.id).id;
        await send('patch', `/leases/${leaseIds[at]}`, {
          rent_changes: leases[at as 0 | 1].terms.rent_changes,
        });
      }
      const files = {
        payments: csv(
          payments.map(({ tenant, amount_cents, paid_on, month, reversedAfter }) => ({
            tenant_id: tenants[tenant].id,
            amount_cents,
            paid_on,
            period: month,
            status: reversedAfter === null ? 'paid' : 'returned',
            reversed_on: reversedAfter === null ? null : plus(paid_on, reversedAfter),
          })),
        ),
        charges: csv(
          charges.map(({ lease, ...charge }, at) => ({
            lease_id: leaseIds[lease],
            external_id: `c${at}`,
            ...charge,
          })),
        ),
        credits: csv(
          credits.map(({ lease, ofCharge, ...credit }) => ({
            lease_id: leaseIds[lease],
            reason: 'concession',
            charge_id: ofCharge !== null && charges[ofCharge]?.lease === lease ? `c${ofCharge}` : null,
            ...credit,
          })),
        ),
      };
      const filled = Object.fromEntries(Object.entries(files).filter(([, text]) => text !== ''));
      await importAll(service, client, filled, { now: now() });
      if (recurring) {
        const { lease, ...rest } = recurring;
        await send('post', '/recurring-charges', { lease_id: leaseIds[lease], kind: 'parking', ...rest });
      }
    },

    /** What can be compared between accounts: no ids, and charges of the same day and kind together. */
    async ledger() {
      expect(today).toBe(lastDay);
      const shown: Shown[] = (await client.get('/charges')).body.data;
      const charges = shown.filter(({ voided_on }) => voided_on === null);
      const dueOn = new Map(charges.map(({ id, due_on }) => [id, due_on]));
      const group = ({ lease_id, due_on, kind }: Shown) =>
        `${leaseIds.indexOf(lease_id)} ${due_on} ${/rent|deposit/.test(kind) ? kind : 'other'}`;
      const open = Object.entries(Object.groupBy(charges, group)).map(([key, some = []]) => {
        const cents = some.reduce((sum, { open_cents }) => sum + open_cents, 0);
        return `${key} ${cents}`;
      });
      const all = charges.map(
        (charge) =>
          `${group(charge)} ${charge.kind} ${charge.amount_cents} ${dueOn.get(charge.late_fee_for ?? '')}`,
      );
      const balances = [];
      for (const as_of of [lastDay, plus(dayOne, 70), plus(dayOne, 35), plus(dayOne, 12)]) {
        const { body } = await client.get(`/balances?as_of=${as_of}`);
        balances.push(
          body.data
            .map(
              ({
                lease_id,
                lease: _,
                tenants: __,
                unit: ___,
                property: ____,
                ...figures
              }: Shown & Record<string, unknown>) => ({
                as_of,
                lease: leaseIds.indexOf(lease_id),
                ...figures,
              }),
            )
            .sort((a: { lease: number }, b: { lease: number }) => a.lease - b.lease),
        );
      }
      const told = (await eventsOf(service, client)).map(({ event, body }) => {
        const { charge } = JSON.parse(body).data;
        return [event, charge?.kind, charge?.due_on, charge?.status, charge?.open_cents].join(' ');
      });
      return { charges, events: told.sort(), figures: { open: open.sort(), all: all.sort(), balances } };
    },
  };
}

/** The lease as it was at first, before it was changed to what it is. */
function otherwise(
  how: string,
  { end_date, start_date, due_day }: { end_date: string | null; start_date: string; due_day: number },
) {
  if (how === 'another rent') return { rent_cents: 77_700, proration: 'thirty_days' };
  if (how === 'without an end') return { end_date: null, ended_on: null };
  if (how === 'another start' && end_date !== start_date) return { start_date: plus(start_date, -10) };
  return how === 'another due day' ? { due_day: (due_day % 28) + 1 } : {};
}

/** A file with these rows. Empty if there are none. */
function csv(rows: Record<string, unknown>[]): string {
  const [first] = rows;
  if (!first) return '';
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row))];
  return lines.map((line) => line.map((cell) => `"${cell ?? ''}"`).join(',')).join('\n');
}
