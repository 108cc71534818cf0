import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { parseId } from '../../src/ids.ts';
import { lockImports } from '../../src/imports/imports.store.ts';
import { type Person, signUp } from '../support/browser.ts';
import { type Service, testService } from '../support/service.ts';

/* Spreadsheets that were made to break the code that reads them. */

let service: Service;
let person: Person;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  person = await signUp(service);
});
afterAll(() => service.close());
afterEach(async () => {
  expect((await person.get('/home')).status).toBe(200);
});

const upload = async (files: Record<string, string>, options = '{}', who = person) => {
  const form = new FormData();
  for (const [kind, text] of Object.entries(files)) form.set(kind, new File([text], `${kind}.csv`));
  form.set('options', options);
  const response = await fetch(`${service.url}/internal/v1/imports/preview`, {
    method: 'POST',
    headers: { cookie: who.cookies(), origin: service.url },
    body: form,
  });
  return { status: response.status, text: await response.text() };
};

test.each<[string, () => Record<string, string>]>([
  ['one cell of 10 MB', () => ({ tenants: `first_name,last_name\n"${'x'.repeat(10_000_000)}",Okafor\n` })],
  ['one quote that never closes', () => ({ tenants: `first_name,last_name\n"${'x,\n'.repeat(2_000_000)}` })],
  [
    'a million columns',
    () => ({ tenants: `${Array.from({ length: 1_000_000 }, (_, at) => `c${at}`).join()}\n` }),
  ],
  ['a row of a million cells', () => ({ tenants: `first_name,last_name\n${'a,'.repeat(1_000_000)}\n` })],
  ['a million empty lines', () => ({ tenants: `first_name,last_name\n${'\n'.repeat(1_000_000)}` })],
  ['a hundred thousand wrong rows', () => ({ tenants: `first_name,last_name\n${',\n'.repeat(100_000)}` })],
  ['a thousand headers in twenty rows', () => ({ tenants: `${`${'a,'.repeat(990)}\n`.repeat(21)}` })],
  ['a header of brackets', () => ({ tenants: `first_name,last_name,${'('.repeat(500_000)}\nAda,Okafor,\n` })],
  ['a number after blanks', () => ({ units: `property,name,bedrooms\nX,1,1${' '.repeat(500_000)}!\n` })],
  [
    'many numbers after some blanks',
    () => ({ units: `property,name,bedrooms\n${`X,1,1${' .'.repeat(90)}!\n`.repeat(5_000)}` }),
  ],
  ['a date of letters', () => ({ leases: `tenants,unit,start_date\nX,1,x${'T'.repeat(500_000)}\n` })],
  ['a day of letters', () => ({ leases: `tenants,unit,start_date\nX,1,${'day'.repeat(200_000)}\n` })],
  [
    'an amount of signs',
    () => ({ payments: `tenant,paid_on,amount\nX,2026-01-01,${'$'.repeat(500_000)}1-\n` }),
  ],
  [
    'tenants of blanks',
    () => ({ leases: `tenants,unit,start_date\nA${' '.repeat(500_000)}B,1,2026-01-01\n` }),
  ],
  ['nothing but quotes', () => ({ tenants: '"'.repeat(5_000_000) })],
])('%s', async (_name, files) => {
  const { status, text } = await upload(files());
  expect([200, 400], text.slice(0, 300)).toContain(status);
  // The errors take a page or two, and are not repeated for every cell.
  expect(text.length).toBeLessThan(2_000_000);
});

test('a form of a hundred thousand parts', async () => {
  const part = '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n';
  const answer = await person.request('POST', '/imports/preview', undefined);
  expect(answer.status).toBe(400);
  const response = await fetch(`${service.url}/internal/v1/imports/preview`, {
    method: 'POST',
    headers: {
      cookie: person.cookies(),
      origin: service.url,
      'content-type': 'multipart/form-data; boundary=b',
    },
    body: `${part.repeat(100_000)}--b--\r\n`,
  });
  expect(response.status).toBe(400);
});

test('imports that wait for another hold no connection, and nobody else waits for them', async () => {
  const session = await person.get('/session');
  const accountId = parseId('acct', session.body.data.account.id) ?? '';
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: inside, resolve: entered } = Promise.withResolvers<void>();
  const other = service.database.db.transaction(async (tx) => {
    expect(await lockImports(tx, accountId)).toBe(true);
    entered();
    await held;
  });
  await inside;
  const { pool } = service.app.db;
  const uploads = Array.from({ length: 12 }, () => upload({ tenants }));
  // Uploads that wait ask again now and then, but never for long, and never all at the same time.
  let free = 0;
  for (let looks = 0; looks < 20; looks++) {
    if (pool.totalCount - pool.idleCount <= 1) free += 1;
    expect((await person.get('/home')).status).toBe(200);
    await sleep(25);
  }
  expect(free).toBeGreaterThan(10);
  const neighbour = await signUp(service);
  expect((await upload({ tenants }, '{}', neighbour)).status).toBe(200);

  const answers = await Promise.all(uploads);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([409]));
  expect(answers[0]?.text).toContain('Another import of this account is under way');
  release();
  await other;
  expect((await upload({ tenants })).status).toBe(200);
});

test('imports of many people at once take their turns', async () => {
  const people = [person, ...(await Promise.all(Array.from({ length: 5 }, () => signUp(service))))];
  const answers = await Promise.all([...people, ...people].map((one) => upload({ tenants }, '{}', one)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

const tenants = 'first_name,last_name\nAda,Okafor\n';
