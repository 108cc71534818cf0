/* Bodies that were made to keep a service so busy that it does nothing else. */

export interface HostileBody {
  type: string;
  body: Buffer;
}

interface HostileFile {
  kind: string;
  file: Buffer;
}

const bytes = (text: string) => Buffer.from(text);
const filled = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length));
const tenants = (rows: string): HostileFile => ({
  kind: 'tenants',
  file: bytes(`first_name,last_name\n${rows}`),
});

/** Files of about this size, each for the kind of record that it pretends to contain. */
export const hostileFiles: Record<string, (size: number) => HostileFile> = {
  'an endless row': (size) => tenants(filled('a,', size)),
  'an endless row without a separator': (size) => tenants('a'.repeat(size)),
  'an endless quoted cell': (size) => tenants(`"${filled('x,\n', size)}`),
  'an endless cell of quotes': (size) => tenants(`"${'"'.repeat(size)}`),
  'empty cells': (size) => tenants(','.repeat(size)),
  'rows of a thousand empty cells': (size) => tenants(filled(`${','.repeat(999)}\n`, size)),
  'rows of a thousand cells': (size) => tenants(filled(`${'a,'.repeat(999)}\n`, size)),
  'headers of a thousand cells': (size) => ({
    kind: 'tenants',
    file: bytes(filled(`${'name,'.repeat(999)}\n`, size)),
  }),
  'a thousand columns that nearly hold phone numbers': (size) => ({
    kind: 'tenants',
    file: bytes(`${'x,'.repeat(999)}\n${filled(`${'1/2/2026 12.50 55501000199 x,'.repeat(999)}\n`, size)}`),
  }),
  'long rows in place of a header': (size) => ({
    kind: 'tenants',
    file: bytes(filled(`${'x'.repeat(90_000)},b\n`, size)),
  }),
  'rows of one cell': (size) => tenants(filled('a\n', size)),
  'blank lines': (size) => tenants('\n'.repeat(size)),
  'rows of blanks': (size) => tenants(filled('  ,\r\n', size)),
  'rows of totals': (size) => tenants(filled('total\n', size)),
  'dates that can be read in two ways': (size) => ({
    kind: 'payments',
    file: bytes(`tenant,paid_on,amount\n${filled('Ada Okafor,1/2/2026,5\n', size)}`),
  }),
  'cells of blanks': (size) => tenants(filled(`a${' '.repeat(100_000)}b,c\n`, size)),
  'UTF-16 that breaks off': (size) => ({
    kind: 'tenants',
    file: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(size, 0xd8)]),
  }),
  'bytes without meaning': (size) => ({
    kind: 'tenants',
    file: Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 7919) >> 3)),
  }),
  zeros: (size) => ({ kind: 'tenants', file: Buffer.alloc(size) }),
};

const boundary = 'b'.repeat(60);
const type = `multipart/form-data; boundary=${boundary}`;
const disposition = 'Content-Disposition: form-data; name=';

/** The body of a form with one file. */
export function formOf({ kind, file }: HostileFile): HostileBody {
  const head = `--${boundary}\r\n${disposition}"${kind}"; filename="${kind}.csv"\r\n\r\n`;
  return { type, body: Buffer.concat([bytes(head), file, bytes(`\r\n--${boundary}--\r\n`)]) };
}

/** What is sent where a form with files is expected. */
export const hostileForms: Record<string, (size: number) => HostileBody> = {
  'tiny parts': (size) => ({
    type,
    body: bytes(`${filled(`--${boundary}\r\n${disposition}"x"\r\n\r\n1\r\n`, size)}--${boundary}--\r\n`),
  }),
  'parts without anything': (size) => ({ type, body: bytes(filled(`--${boundary}\r\n`, size)) }),
  'an endless header': (size) => ({
    type,
    body: bytes(`--${boundary}\r\n${disposition}"${'x'.repeat(size)}`),
  }),
  'endless headers': (size) => ({ type, body: bytes(`--${boundary}\r\n${filled('X-A: b\r\n', size)}`) }),
  'almost the boundary': (size) =>
    formOf({ kind: 'tenants', file: bytes(filled(`\r\n--${boundary.slice(1)}`, size)) }),
  'the letter of the boundary': (size) => ({
    type,
    body: bytes(`--${boundary}\r\n${disposition}"tenants"; filename="t"\r\n\r\n${'b'.repeat(size)}`),
  }),
  'no boundary': (size) => ({ type, body: Buffer.alloc(size, 'b') }),
  'JSON where a form belongs': (size) => ({
    type: 'application/json',
    body: bytes(`{"a":[${filled('{},', size)}{}]}`),
  }),
};

const between = (open: string, piece: string, close: string) => (size: number) =>
  bytes(open + piece.repeat(Math.floor((size - open.length - close.length) / piece.length)) + close);

const nested = (open: string, close: string) => (size: number) => {
  const depth = Math.floor((size - 20) / (open.length + close.length));
  return bytes(`{"name":${open.repeat(depth)}1${close.repeat(depth)}}`);
};

const numbered = (open: string, each: (at: number) => string, close: string) => (size: number) => {
  const pieces = [open];
  for (let at = 0, length = 40; length < size; at++) length += pieces[pieces.push(each(at)) - 1]?.length ?? 0;
  return bytes(pieces.join('') + close);
};

/** JSON bodies of this size. */
export const hostileJson: Record<string, (size: number) => Buffer> = {
  'deep lists': nested('[', ']'),
  'deep objects': nested('{"a":', '}'),
  'many keys': numbered('{"name":"x"', (at) => `,"k${at.toString(36)}":1`, '}'),
  'many numbers as keys': numbered('{"name":"x"', (at) => `,"${(at * 7919) % 4_294_967_291}":1`, '}'),
  'empty objects': between('{"name":[', '{},', '{}]}'),
  'objects of different shapes': numbered('{"name":[{}', (at) => `,{"${at.toString(36)}":1}`, ']}'),
  'a list of texts': between('{"tenant_ids":[', '"x",', '"x"]}'),
  'a long text': between('{"name":"', 'x', '"}'),
  'a long text of escapes': between('{"name":"', '\\u0000', '"}'),
  'a long number': between('{"amount_cents":', '9', '}'),
  'a long address': between('{"email":"', 'a.', '@x.y"}'),
  'a long URL': between('{"url":"https://', 'a.', 'b"}'),
  blanks: between('{', ' ', '}'),
  'no text at all': (size) => Buffer.alloc(size, 0xe2),
};
