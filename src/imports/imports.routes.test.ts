import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type Person, signUp, signUpAs } from '../../test/support/browser.ts';
import { envelope } from '../../test/support/envelope.ts';
import { expectInvalid } from '../../test/support/records.ts';
import { type Answer, type Service, testService } from '../../test/support/service.ts';
import { ImportResult } from './imports.schema.ts';

let service: Service;
let owner: Person;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  owner = await signUp(service);
});
afterAll(() => service.close());

async function upload(
  person: { cookies(): string },
  path: 'preview' | 'apply',
  files: Record<string, string>,
  options?: object | string,
): Promise<Answer> {
  const form = new FormData();
  for (const [kind, text] of Object.entries(files)) form.append(kind, new File([text], `my-${kind}.csv`));
  if (options !== undefined)
    form.append('options', typeof options === 'string' ? options : JSON.stringify(options));
  const response = await fetch(`${service.url}/internal/v1/imports/${path}`, {
    method: 'POST',
    headers: { cookie: person.cookies(), origin: service.url },
    body: form,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

const properties = 'Property Name,City,Colour\nMaple Court,Portland,red\nOak House,Salem,\n';
const units = 'Property,Lakas,Rent\nMaple Court,1A,"1,250.00"\nOak House,House,none\n';

describe('in the dashboard', () => {
  test('a preview says what the columns are, what is wrong and what would happen, and changes nothing', async () => {
    const answer = await upload(owner, 'preview', { properties, units });
    expect(answer.status, answer.text).toBe(200);
    ImportResult.parse(answer.body.data);
    expect(answer.body.data).toMatchObject({
      dry_run: true,
      ok: false,
      files: [
        {
          kind: 'properties',
          file: 'my-properties.csv',
          status: 'valid',
          create: 2,
          update: 0,
          unchanged: 0,
          encoding: 'utf-8',
          delimiter: ',',
          header_line: 1,
          ignored_columns: ['Colour'],
          columns: [
            { header: 'Property Name', field: 'name', samples: ['Maple Court', 'Oak House'] },
            { header: 'City', field: 'city', samples: ['Portland', 'Salem'] },
            { header: 'Colour', field: null, samples: ['red'] },
          ],
          sample: [
            { line: 2, cells: ['Maple Court', 'Portland', 'red'] },
            { line: 3, cells: ['Oak House', 'Salem', ''] },
          ],
          errors: [],
        },
        {
          kind: 'units',
          status: 'failed',
          errors: [{ line: 1, column: 'name', reason: expect.stringContaining('Lakas') }],
        },
      ],
    });
    expect(answer.body.data.files[1].fields).toContainEqual({ name: 'name', required: true });

    const mapped = await upload(
      owner,
      'preview',
      { properties, units },
      { mapping: { units: { Lakas: 'name' } } },
    );
    expect(mapped.body.data).toMatchObject({
      ok: true,
      files: [{ create: 2 }, { create: 2, status: 'valid' }],
    });
    expect((await owner.get('/properties')).body.count).toBe(0);
  });

  test('applying does it, and a second time finds nothing to do', async () => {
    const options = { mapping: { units: { Lakas: 'name', Rent: null } } };
    const first = await upload(owner, 'apply', { properties, units }, options);
    expect(first.body.data).toMatchObject({
      ok: true,
      dry_run: false,
      files: [{ status: 'applied' }, { status: 'applied' }],
    });
    expect((await owner.get('/units')).body.data).toMatchObject([
      { name: 'House', market_rent_cents: null },
      { name: '1A', market_rent_cents: null },
    ]);
    const again = await upload(owner, 'apply', { properties, units }, options);
    expect(again.body.data.files).toMatchObject([{ unchanged: 2 }, { unchanged: 2 }]);
  });

  test('an upload may be much larger than other bodies, but not without end', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) => `House ${n},${'x'.repeat(1000)}`);
    const answer = await upload(owner, 'preview', { properties: `Name,Notes\n${rows.join('\n')}` });
    expect(answer.body.data.files[0]).toMatchObject({ create: 3000 });
    const tooLarge = await upload(owner, 'preview', { properties: 'x'.repeat(51 * 1024 * 1024) });
    expect(tooLarge.status).toBe(413);
    expect(tooLarge.body).toEqual(envelope(413, 'Payload too large'));
  });

  test('anything but a form with files is a 400, and viewers and strangers are refused', async () => {
    expect((await owner.post('/imports/preview', { properties: 'x' })).status).toBe(400);
    expect((await upload(owner, 'apply', {})).status).toBe(400);
    for (const options of ['{', '[]', '{"date_format":"x"}', '{"mapping":{"units":{"a":1}}}'])
      expect((await upload(owner, 'apply', { properties }, options)).status, options).toBe(400);
    const endless = JSON.stringify({ mapping: { units: { a: 'x'.repeat(70_000) } } });
    expectInvalid(await upload(owner, 'apply', { properties }, endless), 'options');
    const viewer = await signUpAs(service, owner, 'viewer');
    expect((await upload(viewer, 'apply', { properties })).status).toBe(403);
    expect((await upload(openBrowser(service), 'preview', { properties })).status).toBe(401);
  });

  test('another person imports into their own account', async () => {
    const other = await signUp(service);
    await upload(other, 'apply', { properties: 'Name\nTheirs\n' });
    expect((await other.get('/properties')).body.data).toMatchObject([{ name: 'Theirs' }]);
    expect((await owner.get('/properties?q=Theirs')).body.count).toBe(0);
  });
});
