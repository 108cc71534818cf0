import { expect, test } from 'vitest';
import { mentionsOf } from './support/one-account.ts';

/*
 * Every statement that a test's service runs is checked against the rule itself (test/support/service.ts). Here the
 * check is tested.
 */

const tables = new Set(['payments', 'leases', 'lease_tenants', 'tenants', 'events']);
const unfiltered = (text: string) => mentionsOf(text, tables).unfiltered;
const parameters = (text: string) => mentionsOf(text, tables).parameters;

test.each([
  'select 1',
  'select * from accounts a join members m on m.account_id = a.id',
  'select * from payments where account_id = $1 and id = $2',
  'select * from payments p where p.account_id = $1::uuid',
  'select p.* from payments p join tenants as t on t.account_id = $2 and t.id = p.tenant_id where p.account_id = $1',
  'select * from payments p, tenants t where p.account_id = $1 and t.account_id = $1',
  'select (select count(*) from leases l where l.account_id = $2 and l.id = p.lease_id) from payments p where p.account_id = $1',
  'with p as (select * from payments where account_id = $1) select * from p join accounts a on a.id = p.account_id',
  'select id from payments where account_id = $1 union all select id from leases where account_id = $2',
  'select * from ((select id from payments where account_id = $1) union all (select id from leases where account_id = $2)) found',
  'select events, status from endpoints e where e.events @> $1',
  'insert into payments (account_id, id) values ($1, $2)',
  'insert into payments (account_id, id, tenant_id) select $1, n.id, n.t from (select $2::uuid as id) n returning *',
  'insert into payments (account_id, id) values ($1, $2) on conflict (account_id, id) do update set id = excluded.id',
  'update payments p set memo = n.memo from (select $2 as memo) n where p.account_id = $1 and p.id = $3 returning p.*',
  'select * from payments where account_id = $1 for no key update',
  'select a or b from payments p join leases l on l.account_id = $1 and (l.a or l.b) where p.account_id = $1 order by c or d',
  'delete from payments where account_id = $1 and id in (select id from payments where account_id = $2 limit 5)',
  "select 'from payments' as text, extract(year from p.paid_on) from payments p where p.account_id = $1",
  'select * from payments p where p.account_id = $1 and p.memo is distinct from $2',
  'select * from payments -- all, from leases\nwhere account_id = $1 /* and from tenants */',
  '/* across accounts */ select id from events order by id limit 10',
  '\n  /* across accounts */ select id from events',
])('%s is of one account', (text) => {
  expect(unfiltered(text)).toEqual([]);
});

test.each([
  ['select * from payments', 'payments'],
  ['select * from payments where id = $1', 'payments'],
  ['select * from payments p where p.account_id = any($1)', 'payments p'],
  ['select * from payments p where p.account_id = $1 or p.id = $2', 'payments p'],
  ['select * from payments p where p.account_id = $1 and p.id = $2 or p.id = $3', 'payments p'],
  ['select * from payments p where p.id = $1 or p.id = $2 and p.account_id = $3', 'payments p'],
  ['select * from payments p where not p.account_id = $1', 'payments p'],
  [
    'select * from payments p join tenants t on t.account_id = p.account_id and t.id = p.tenant_id where p.account_id = $1',
    'tenants t',
  ],
  ['select * from payments p, tenants t where p.account_id = $1', 'tenants t'],
  ['select * from payments p join tenants t on t.id = p.tenant_id where account_id = $1', 'payments p'],
  [
    'with p as (select * from payments where account_id = $1) select * from p join leases l on l.account_id = p.account_id',
    'leases l',
  ],
  [
    'select (select count(*) from leases l where l.account_id = p.account_id) from payments p where p.account_id = $1',
    'leases l',
  ],
  [
    'select * from payments p left join lateral (select * from leases l where l.id = p.lease_id) l on true where p.account_id = $1',
    'leases l',
  ],
  [
    'select * from payments p where p.account_id = $1 and exists (select from leases l where p.account_id = $1)',
    'leases l',
  ],
  ['select id from payments where account_id = $1 union all select id from leases', 'leases'],
  ['insert into payments (id, account_id) values ($1, $2)', 'insert into payments'],
  ['insert into payments (account_id, id) select g.account_id, g.id from gone g', 'insert into payments'],
  ['update payments set memo = $1 where id = $2', 'payments'],
  ['update payments p set memo = n.memo from rows n where p.account_id = n.account_id', 'payments p'],
  ['delete from events', 'events'],
  ['delete from events e using gone g where e.account_id = g.account_id', 'events e'],
  [
    'select * from accounts a cross join lateral (select id from events e where e.account_id = a.id) x',
    'events e',
  ],
])('%s leaves %s open', (text, mention) => {
  expect(unfiltered(text)).toContain(mention);
});

test('all parameters that name the account are reported, for their values to be compared', () => {
  expect(
    parameters(
      'select * from payments p join leases l on l.account_id = $3 and l.id = $2 where p.account_id = $1',
    ),
  ).toEqual([3, 1]);
  expect(
    parameters('insert into payments (account_id, id) select $1, l.id from leases l where l.account_id = $2'),
  ).toEqual([1, 2]);
});
