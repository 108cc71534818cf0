import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseForm } from './form.ts';

/** Encodes a form as a browser does. */
async function encode(form: FormData): Promise<{ type: string; body: Buffer }> {
  const request = new Request('http://localhost', { method: 'POST', body: form });
  return {
    type: request.headers.get('content-type') ?? '',
    body: Buffer.from(await request.arrayBuffer()),
  };
}

const text = fc.string({ unit: fc.constantFrom('a', 'é', '"', '\r', '\n', '-', ';', '=', ' ', '%', '日') });

/** No name has line ends of two kinds, since both would become the same. */
const key = text.map((name) => name.replaceAll('\r', ''));

test('what a browser sends is read again, whatever the names and contents', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(key, fc.tuple(text, fc.uint8Array()), { maxKeys: 4 }), async (files) => {
      const form = new FormData();
      form.set('options', '{"é":1}\r\n');
      for (const [name, [file, content]] of Object.entries(files))
        form.set(`file ${name}`, new File([Uint8Array.from(content)], `${file}.csv`));
      const { type, body } = await encode(form);
      const read = await parseForm(type, body);
      expect(read?.get('options')).toEqual({ filename: null, content: Buffer.from('{"é":1}\r\n') });
      for (const [name, [file, content]] of Object.entries(files)) {
        // A browser writes every line end in a name as CR LF.
        const wide = `file ${name}`.replace(/\r\n|\r|\n/g, '\r\n');
        expect(read?.get(wide)?.content).toEqual(Buffer.from(content));
        expect(read?.get(wide)?.filename?.replace(/\r\n|\r|\n/g, '')).toBe(
          `${file}.csv`.replace(/\r\n|\r|\n/g, ''),
        );
      }
    }),
    { numRuns: 50 },
  );
});

test('a body that is not a form, or is cut off, is refused', async () => {
  const form = new FormData();
  form.set('a', '1');
  const { type, body } = await encode(form);
  expect((await parseForm(type, body))?.size).toBe(1);
  for (let end = 0; end < body.length - 4; end += 1)
    expect(await parseForm(type, body.subarray(0, end))).toBe(null);
  for (const wrong of ['', 'text/csv', 'multipart/form-data', 'multipart/form-data; boundary=other'])
    expect(await parseForm(wrong, body)).toBe(null);
  for (let at = 0; at < 1_000; at++) form.set(`field ${at}`, '1');
  const many = await encode(form);
  expect(await parseForm(many.type, many.body)).toBe(null);
});
