import { expect, test } from 'vitest';
import { signUp } from '../../test/browser.ts';
import { testService } from '../../test/service.ts';
test('big', { timeout: 300_000 }, async () => {
  const service = await testService({ SIGN_UP: 'open' });
  const p = await signUp(service);
  const { pool } = service.database.db;
  const { rows: [{ id: a }] } = await pool.query('select id from accounts');
  const u = (n: string, k: string) => `('0190${k}00-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  await pool.query(`insert into properties (account_id,id,name,type,status,created_at,updated_at) select '${a}', ${u('n','01')}, 'Property '||n, 'other','active',now(),now() from generate_series(1,500) n`);
  await pool.query(`insert into units (account_id,id,property_id,name,offline,created_at,updated_at) select '${a}', ${u('n','02')}, ${u('(n%500)+1','01')}, 'Unit '||n, false,now(),now() from generate_series(1,10000) n`);
  await pool.query(`insert into tenants (account_id,id,first_name,last_name,email,created_at,updated_at) select '${a}', ${u('n','03')}, 'First'||n, 'Last'||n, 'e'||n||'@x.de',now(),now() from generate_series(1,10000) n`);
  await pool.query(`insert into leases (account_id,id,unit_id,property_id,start_date,end_date,rent_cents,currency,due_day,created_at,updated_at) select '${a}', ${u('n','04')}, ${u('n','02')}, ${u('(n%500)+1','01')}, '2024-01-01', date '2026-06-01' + (n % 900), 100000,'USD',1,now(),now() from generate_series(1,10000) n`);
  await pool.query(`insert into lease_tenants select '${a}', ${u('n','04')}, ${u('n','03')}, 1 from generate_series(1,10000) n`);
  for (let m = 0; m < 24; m++)
  await pool.query(`insert into payments (account_id,id,tenant_id,lease_id,unit_id,property_id,amount_cents,currency,paid_on,method,status,source,created_at,updated_at)
   select '${a}', ${u(`n*100+${m}`,'05')}, ${u('n','03')}, ${u('n','04')}, ${u('n','02')}, ${u('(n%500)+1','01')}, 100000,'USD', date '2024-12-01' + (${m}*30), 'other','paid','api',now(),now() from generate_series(1,10000) n`);
  await pool.query('analyze');
  for (const path of ['/home', '/home', '/home', '/search?q=last77', '/search?q=zzz', '/payments/totals', '/payments/totals?from=2026-11-01&to=2026-11-30', '/payments/totals?status=paid', '/session']) {
    const t = performance.now();
    const r = await p.get(path);
    console.log(path, r.status, Math.round(performance.now() - t), r.text.length);
  }
  expect(1).toBe(1);
  await service.close();
});
