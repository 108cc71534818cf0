const described = {
  'X-Request-Id': 'Identifies the request in our logs.',
  RateLimit:
    'What is left of the rate limit: `"default";r=<requests>;t=<seconds until it is full>`. With every answer to a known key.',
  'RateLimit-Policy':
    'The rate limit: `"default";q=<requests>;w=<in seconds>`. With every answer to a known key.',
  'X-Service-Mode': '`test` with every answer to a test key. No other answer has it.',
  Link: 'If there is more: `<address of the next page>; rel="next"` (RFC 8288).',
  ETag: 'Identifies this state of the answer: for `If-None-Match`, and for `If-Match` of a change to the record.',
  Location: 'The path of the new record.',
  'X-Total-Count':
    'With `total=true`: how many records match the filters, on all pages. 100000 means this many or more. Left out if more than 100,000 records would have to be examined.',
  'Idempotent-Replayed': '`true` when this is the answer recorded for the Idempotency-Key.',
  Warning:
    '`299 - "<text>"`: what was left out of a request that was accepted otherwise, such as unknown events.',
  'Preference-Applied': '`handling=strict` when the request prefers that.',
  'Retry-After': 'Seconds to wait.',
  'WWW-Authenticate': '`Bearer`',
};
export type HeaderName = keyof typeof described;

/** The headers that many responses share, for `components.headers`. */
export const sharedHeaders: Record<string, object> = Object.fromEntries(
  Object.entries(described).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
);

/** The headers of every answer. All but the first depend on the key. */
export const ofEveryAnswer: HeaderName[] = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'X-Service-Mode',
];

/** These headers, for a response. */
export const headersOf = (names: readonly HeaderName[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
