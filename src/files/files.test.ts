import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp, signUpAs } from '../../test/support/browser.ts';
import { dumpOf, eventsDuring, expectError, make, unknownId } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { raw, sql } from '../db/sql.ts';
import { parseId } from '../ids.ts';
import { maxFileBytes } from './files.schema.ts';
import { forgetUnkept } from './uploads.ts';

let service: Service;
let client: Client;
let record: string;
beforeAll(async () => {
  service = await testService({ FILES_MB_PER_ACCOUNT: '60', SIGN_UP: 'open' });
  client = await service.client();
  record = (await make.property(client)).id;
});
afterAll(() => service.close());

const pdf = Buffer.from(`%PDF-1.7\n${'%'.repeat(600_000)}\n%%EOF`);
const bytes = (content: string | Uint8Array) => new Uint8Array(Buffer.from(content));

const upload = (content: string | Uint8Array, query: Record<string, string>, by = client, headers = {}) =>
  service.request('POST', `/files?${new URLSearchParams({ record, ...query })}`, {
    key: by.key,
    raw: bytes(content),
    headers,
  });

async function form(parts: [string, string | File][], by = client, query = '') {
  const body = new FormData();
  for (const [name, value] of parts) body.append(name, value);
  const response = await fetch(`${service.url}/api/v1/files${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.key}` },
    body,
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const fetchContent = (id: string, headers: Record<string, string> = {}, by = client, of = 'content') =>
  fetch(`${service.url}/api/v1/files/${id}/${of}`, {
    headers: { authorization: `Bearer ${by.key}`, ...headers },
  });

const photo = () =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: '#884422' } })
    .withExif({ IFD0: { Make: 'SecretCam' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 2/1 3/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

test('a file is kept on each kind of record, is listed there, and comes back byte for byte', async () => {
  const own = await service.client();
  const unit = await make.unit(own);
  const tenant = await make.tenant(own);
  const lease = await make.lease(own, { unit_id: unit.id, tenant_ids: [tenant.id] });
  const payment = await make.payment(own, { tenant_id: tenant.id });
  const request = await make.maintenance(own, { property_id: unit.property_id });
  const records = [unit.property_id, unit.id, tenant.id, lease.id, payment.id, request.id];
  for (const each of records) {
    const made = await upload(pdf, { record: each, name: 'agreement.pdf' }, own);
    expect(made.status, made.text).toBe(201);
    expect(made.headers.get('location')).toBe(`/api/v1/files/${made.body.data.id}`);
    expect(made.body.data).toMatchObject({
      record: each,
      name: 'agreement.pdf',
      content_type: 'application/pdf',
      size: pdf.length,
      width: null,
      position: 1,
      source: 'api',
    });
    expect((await own.get(`/files?record=${each}`)).body.data).toEqual([made.body.data]);
    expect((await own.get(`/files/${made.body.data.id}`)).body.data).toEqual(made.body.data);
    const content = await fetchContent(made.body.data.id, {}, own);
    expect(Buffer.from(await content.arrayBuffer()).equals(pdf)).toBe(true);
  }
  expect((await own.get('/files')).body.count).toBe(records.length);
});

test('an image is re-encoded: upright, without location and camera, with a thumbnail', async () => {
  const sent = await photo();
  expect(sent.includes('SecretCam')).toBe(true);
  const { body } = await upload(sent, { name: 'kitchen.JPEG' });
  expect(body.data).toMatchObject({
    content_type: 'image/jpeg',
    width: 480,
    height: 640,
    name: 'kitchen.JPEG',
  });
  const kept = Buffer.from(await (await fetchContent(body.data.id)).arrayBuffer());
  const { exif, orientation, width } = await sharp(kept).metadata();
  expect([exif, orientation, width]).toEqual([undefined, undefined, 480]);
  expect(kept.includes('SecretCam')).toBe(false);
  const small = await fetchContent(body.data.id, {}, client, 'content?variant=thumbnail');
  expect(small.headers.get('content-type')).toBe('image/webp');
  expect((await sharp(await small.arrayBuffer()).metadata()).height).toBe(480);
});

test('a form has the file, the record and the name, in any order', async () => {
  const file = new File([bytes(pdf)], 'façade "1".pdf');
  const first = await form([
    ['record', record],
    ['file', file],
  ]);
  expect([first.status, first.body.data?.name]).toEqual([201, 'façade "1".pdf']);
  const last = await form([
    ['file', file],
    ['name', 'Lease 2026'],
    ['record', record],
  ]);
  expect([last.status, last.body.data?.name]).toEqual([201, 'Lease 2026.pdf']);
  const disposition = (await fetchContent(first.body.data.id)).headers.get('content-disposition');
  expect(disposition).toBe(
    `attachment; filename="fa_ade _1_.pdf"; filename*=UTF-8''fa%C3%A7ade%20%221%22.pdf`,
  );

  const refusals: [string, string | File][][] = [
    [['record', record]],
    [['file', file]],
    [
      ['record', record],
      ['photo', file],
    ],
    [
      ['record', record],
      ['file', file],
      ['file', file],
    ],
    [
      ['record', unknownId('prop')],
      ['file', file],
    ],
  ];
  for (const parts of refusals) expect((await form(parts)).status).toBe(400);
  const broken = await upload('no boundary', {}, client, { 'content-type': 'multipart/form-data' });
  expectError(broken, 400, 'The form has no boundary.');
  expect(await unkept(client)).toBe(0);
});

/** The number of contents that belong to no file. */
async function unkept({ accountId }: Client): Promise<number> {
  const rows = await service.database.db.query(
    sql`select id from file_contents where account_id = ${accountId} and not kept`,
  );
  return rows.length;
}

test("a file's type comes from its content: what a browser could run is refused or can only be saved", async () => {
  const html = '<!doctype html><script>alert(1)</script>';
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
  const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(600)]);
  for (const content of [
    html,
    `\n ${svg}`,
    `<?xml version="1.0"?>${svg}`,
    program,
    Buffer.from([0xff, 0xfe, 0x00]),
  ])
    expect((await upload(content, { name: 'photo.jpg' })).status).toBe(415);
  expect((await upload('', { name: 'empty.pdf' })).text).toContain('The file is empty.');
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic');
  expectError(await upload(heic, { name: 'a.heic' }), 415, /HEIC.*as JPEG/);

  const { body } = await upload(`See ${html}`, { name: '../../bill\u202Efdp.html' });
  expect(body.data).toMatchObject({ content_type: 'text/plain', name: 'billfdp.html.txt' });
  for (const query of ['', '?disposition=inline']) {
    const { headers } = await fetchContent(body.data.id, {}, client, `content${query}`);
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('cache-control')).toBe('no-store');
  }
  const saved = await upload(pdf, { name: 'page.pdf' });
  const inline = await fetchContent(saved.body.data.id, {}, client, 'content?disposition=inline');
  expect(inline.headers.get('content-disposition')).toMatch(/^attachment;/);
  const image = await upload(await photo(), { name: 'a.png' });
  expect(image.body.data.name).toBe('a.jpg');
  const shown = await fetchContent(image.body.data.id, {}, client, 'content?disposition=inline');
  expect(shown.headers.get('content-disposition')).toMatch(/^inline;/);
  expect(await unkept(client)).toBe(0);
});

test('a hostile image is refused: too many pixels, cut off, or none at all', async () => {
  const side = 8_000;
  const bomb = await sharp({ create: { width: side, height: side, channels: 3, background: 'white' } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  expect(bomb.length).toBeLessThan(1_000_000);
  expectError(await upload(bomb, { name: 'white.png' }), 415, 'An image may have at most 50 megapixels.');
  const whole = await photo();
  expectError(await upload(whole.subarray(0, whole.length / 2), { name: 'half.jpg' }), 415, /cannot be read/);
  const fake = Buffer.concat([whole.subarray(0, 20), Buffer.alloc(2_000, 'x')]);
  expectError(await upload(fake, { name: 'fake.jpg' }), 415, /cannot be read/);
  expect(await unkept(client)).toBe(0);
});

test('a TIFF becomes a JPEG; one of several pages, which would lose them, is refused', async () => {
  const page = sharp({ create: { width: 80, height: 60, channels: 4, background: '#24680000' } });
  const { body } = await upload(await page.clone().tiff({ compression: 'lzw' }).toBuffer(), {
    name: 'scan.tiff',
  });
  expect(body.data).toMatchObject({ name: 'scan.jpg', content_type: 'image/jpeg', width: 80, height: 60 });
  const stored = Buffer.from(await (await fetchContent(body.data.id)).arrayBuffer());
  const { channels } = await sharp(stored).stats();
  expect(channels.map(({ min }) => min)).toEqual([255, 255, 255]);

  const png = await page.png().toBuffer();
  const scans = await sharp([png, png, png], { join: { animated: true } })
    .tiff()
    .toBuffer();
  expectError(await upload(scans, { name: 'lease.tif' }), 415, /has 3 pages. Send it as PDF/);
  expect(await unkept(client)).toBe(0);
});

test('ranges, as requested by a player or a resumed download', async () => {
  const { id } = (await upload(pdf, { name: 'long.pdf' })).body.data;
  const size = pdf.length;
  const whole = await fetchContent(id);
  const tag = whole.headers.get('etag') ?? '';
  expect([whole.status, whole.headers.get('accept-ranges'), whole.headers.get('content-length')]).toEqual([
    200,
    'bytes',
    String(size),
  ]);
  const ranges: [string, number, number][] = [
    ['bytes=0-0', 0, 1],
    ['bytes=262143-262144', 262_143, 262_145],
    ['bytes=262144-', 262_144, size],
    ['bytes=-5', size - 5, size],
    [`bytes=10-${size + 10}`, 10, size],
  ];
  for (const [range, from, until] of ranges) {
    const part = await fetchContent(id, { range, 'if-range': tag });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes ${from}-${until - 1}/${size}`,
    ]);
    expect(Buffer.from(await part.arrayBuffer()).equals(pdf.subarray(from, until))).toBe(true);
  }
  for (const range of ['bytes=0-1,5-6', 'bytes=5-2', 'lines=1-2', 'bytes=-'])
    expect((await fetchContent(id, { range })).status).toBe(200);
  expect((await fetchContent(id, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
  for (const range of [`bytes=${size}-`, 'bytes=-0']) {
    const none = await fetchContent(id, { range });
    expect([none.status, none.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
  }
  expect((await fetchContent(id, { 'if-none-match': tag })).status).toBe(304);
  const head = await fetch(`${service.url}/api/v1/files/${id}/content`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${client.key}` },
  });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(size)]);
});

test('a link opens one file without a key, until it expires, and not if it was changed', async () => {
  const { now } = service.app;
  const [one, other] = [await upload(pdf, { name: 'a.pdf' }), await upload(pdf, { name: 'b.pdf' })];
  const reader = await service.client({ accountId: client.accountId, permission: 'read' });
  const made = await reader.get(`/files/${one.body.data.id}/link?expires_in=60`);
  expect(made.status, made.text).toBe(200);
  const { url, expires_at } = made.body.data;
  const link = new URL(url).searchParams.get('link') ?? '';
  const open = (address: string) => fetch(address).then(({ status }) => status);
  expect(await open(url)).toBe(200);
  expect(await open(url.replace(one.body.data.id, other.body.data.id))).toBe(403);
  expect(await open(`${url}x`)).toBe(403);
  expect(await open(`${service.url}/api/v1/files?link=${link}`)).toBe(401);
  expect(await open(`${service.url}/api/v1/files/${one.body.data.id}?link=${link}`)).toBe(401);
  service.app.now = () => new Date(expires_at);
  expect(await open(url)).toBe(403);
  service.app.now = now;
  expect((await client.delete(`/files/${one.body.data.id}`)).status).toBe(200);
  expect(await open(url)).toBe(404);
  expect((await client.get(`/files/${other.body.data.id}/link?expires_in=3601`)).status).toBe(400);
});

test('files are renamed, arranged and deleted, with an event for each', async () => {
  const own = await service.client();
  const { id: property } = await make.property(own);
  const ids: string[] = [];
  const order = async () =>
    (await own.get(`/files?record=${property}`)).body.data
      .toSorted((a: { position: number }, b: { position: number }) => a.position - b.position)
      .map(({ id }: { id: string }) => ids.indexOf(id));
  const events = await eventsDuring(service, own, async () => {
    for (const name of ['a', 'b', 'c'])
      ids.push((await upload(pdf, { record: property, name }, own)).body.data.id);
    const moved = await own.patch(`/files/${ids[2]}`, { position: 1, name: 'Front' });
    expect(moved.body.data).toMatchObject({ name: 'Front.pdf', position: 1 });
    expect(await order()).toEqual([2, 0, 1]);
    expect((await own.patch(`/files/${ids[2]}`, { position: 100 })).body.data.position).toBe(3);
    expect(await order()).toEqual([0, 1, 2]);
    expect((await own.patch(`/files/${ids[2]}`, { position: 3, name: 'Front.pdf' })).status).toBe(200);
    const deleted = await own.delete(`/files/${ids[0]}`);
    expect(deleted.body.data).toEqual({ id: ids[0], deleted: true });
    expectError(await own.get(`/files/${ids[0]}`), 404, 'Not found');
    expectError(await own.delete(`/files/${ids[0]}`), 404, 'Not found');
    // It is deleted with its record.
    expect((await own.delete(`/properties/${property}`)).status).toBe(200);
  });
  const told = events.map(({ body }) => JSON.parse(body)).map(({ event, data }) => [event, data.file?.id]);
  expect(told.filter(([event]) => event === 'file.created')).toEqual(ids.map((id) => ['file.created', id]));
  expect(told.filter(([event]) => event === 'file.updated')).toHaveLength(6);
  expect(
    told
      .filter(([event]) => event === 'file.deleted')
      .map(([, id]) => id)
      .sort(),
  ).toEqual([...ids].sort());
  for (const table of ['files', 'file_contents', 'file_chunks'])
    expect(
      await service.database.db.query(
        sql`select account_id from ${raw(table)} where account_id = ${own.accountId}`,
      ),
    ).toEqual([]);
});

test('another account sees nothing of a file, and a limited key only the files of what it may read', async () => {
  const tenant = await make.tenant(client);
  const { id } = (await upload(pdf, { record: tenant.id, name: 'passport.pdf' })).body.data;
  const other = await service.client();
  const limited = await service.client({ accountId: client.accountId, scopes: ['files', 'properties'] });
  const without = await service.client({ accountId: client.accountId, scopes: ['tenants'] });
  const reader = await service.client({ accountId: client.accountId, permission: 'read' });
  const before = await dumpOf(service, client.accountId);
  for (const path of [`/files/${id}`, `/files/${id}/content`, `/files/${id}/link`])
    expectError(await other.get(path), 404, 'Not found');
  expectError(await other.patch(`/files/${id}`, { name: 'x' }), 404, 'Not found');
  expectError(await other.delete(`/files/${id}`), 404, 'Not found');
  expect((await other.get(`/files?record=${tenant.id}`)).body.count).toBe(0);
  expect((await upload(pdf, { record: tenant.id }, other)).status).toBe(400);
  for (const path of [`/files/${id}`, `/files/${id}/content`, `/files?record=${tenant.id}`])
    expectError(await limited.get(path), 403, /lacks the scope tenants/);
  expectError(await upload(pdf, { record: tenant.id }, limited), 403, /lacks the scope tenants/);
  expect((await limited.get('/files')).text).not.toContain(id);
  expectError(await without.get(`/files/${id}`), 403, /lacks the scope files/);
  expectError(await upload(pdf, {}, reader), 403, 'Forbidden');
  expect(await dumpOf(service, client.accountId)).toBe(before);
});

test('in the dashboard, viewers see files and managers add them', async () => {
  const owner = await signUp(service);
  const viewer = await signUpAs(service, owner, 'viewer');
  const { id } = (await owner.post('/properties', { name: 'Elm' })).body.data;
  const made = await owner.post(`/files?record=${id}&name=note.txt`, { a: 1 });
  expect(made.body.data).toMatchObject({ source: 'dashboard', name: 'note.txt', content_type: 'text/plain' });
  expect((await viewer.get(`/files?record=${id}`)).body.data).toEqual([made.body.data]);
  expect((await viewer.delete(`/files/${made.body.data.id}`)).status).toBe(403);
  expect((await viewer.post(`/files?record=${id}`, { a: 1 })).status).toBe(403);
});

test('with an Idempotency-Key a repeated upload is one file', async () => {
  const own = await service.client();
  const { id } = await make.property(own);
  const headers = { 'idempotency-key': 'front-door' };
  const first = await upload(pdf, { record: id, name: 'a.pdf' }, own, headers);
  const again = await upload(pdf, { record: id, name: 'a.pdf' }, own, headers);
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect((await own.get('/files')).body.count).toBe(1);
  expect((await upload(`${pdf} `, { record: id, name: 'a.pdf' }, own, headers)).status).toBe(422);
  await expect.poll(() => unkept(own)).toBe(0);
});

test('a file of 25 MB is kept, one byte more is not, and an account has no more than its quota', async () => {
  const own = await service.client();
  const { id } = await make.property(own);
  const most = Buffer.alloc(maxFileBytes, ' ');
  most.write('%PDF-1.7');
  const made = await upload(most, { record: id, name: 'most.pdf' }, own);
  expect(made.body.data?.size).toBe(maxFileBytes);
  const more = Buffer.concat([most, Buffer.from(' ')]);
  expectError(await upload(more, { record: id }, own), 413, 'Payload too large');
  expect((await upload(most, { record: id }, own)).status).toBe(201);
  expectError(await upload(most, { record: id }, own), 409, /no more room/);
  expect((await own.delete(`/files/${made.body.data.id}`)).status).toBe(200);
  expect((await upload(most, { record: id }, own)).status).toBe(201);
  expect(await unkept(own)).toBe(0);
});

test('what a process left behind when it died is never visible, and is deleted after an hour', async () => {
  const own = await service.client();
  const { db } = service.database;
  const begun = async (created: Date) => {
    const [row] = await db.query<{ id: string }>(sql`
      insert into file_contents (account_id, id, bytes, created_at)
      values (${own.accountId}, gen_random_uuid(), 10, ${created}) returning id`);
    await db.query(
      sql`insert into file_chunks (account_id, content_id, number, data) values (${own.accountId}, ${row?.id}, 0, 'half')`,
    );
  };
  const now = new Date();
  await begun(new Date(now.getTime() - 2 * 3_600_000));
  await begun(now);
  const { id } = await make.property(own);
  const { body } = await upload(pdf, { record: id, name: 'a.pdf' }, own);
  await db.query(
    sql`update file_contents set created_at = ${new Date(0)} where account_id = ${own.accountId} and id = ${parseId('file', body.data.id)}`,
  );
  expect((await own.get('/files')).body.count).toBe(1);
  expect(await forgetUnkept(db, own.accountId, now, 10)).toBe(1);
  expect(await unkept(own)).toBe(1);
  expect((await fetchContent(body.data.id, {}, own)).status).toBe(200);
});
