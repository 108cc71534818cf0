import type { FastifyReply, FastifyRequest } from 'fastify';
import { preferredType } from './accept.ts';
import { csvColumns, csvType, modeAndDay } from './csv.ts';
import type { AnyContext, Route } from './route.ts';

export const types = {
  csv: 'text/csv',
  html: 'text/html',
  pdf: 'application/pdf',
  zip: 'application/zip',
} as const;
type Format = keyof typeof types;

const known = new WeakMap<Route, Format[]>();

/** The forms in which the answer is available besides JSON. */
export function formatsOf(route: Route): Format[] {
  let formats = known.get(route);
  if (formats === undefined) {
    const documents = Object.keys(route.documents ?? {}) as Format[];
    formats = csvColumns(route) === null ? documents : ['csv', ...documents];
    known.set(route, formats);
  }
  return formats;
}

/** The requested form, by the Accept header, or by `?format=` in links, which cannot have headers. */
export function askedFormat(route: Route, request: FastifyRequest): Format | 'json' {
  const formats = formatsOf(route);
  const { format } = request.query as { format?: unknown };
  const type = preferredType(
    request.headers.accept,
    formats.map((each) => types[each]),
  );
  return formats.find((each) => (format === undefined ? types[each] === type : each === format)) ?? 'json';
}

/** How the OpenAPI document shows the forms that a route writes itself. */
export const documentContent = (route: Route): object =>
  Object.fromEntries(
    Object.keys(route.documents ?? {}).map((format) => [
      types[format as Format],
      {
        schema: {
          type: 'string',
          ...(format === 'zip' ? { format: 'binary' } : {}),
          description: `\`Accept: ${types[format as Format]}\`, or \`?format=${format}\` in a link.`,
        },
      },
    ]),
  );

const contentTypes: Record<Format, string> = { ...types, csv: csvType, html: 'text/html; charset=utf-8' };
/** Types that are downloaded. The others are shown in the browser. */
const attached: Format[] = ['csv', 'zip'];

/** Sends a page or a file instead of a route's JSON. */
export async function sendDocument(
  reply: FastifyReply,
  route: Route,
  format: Format,
  body: string,
  context: AnyContext,
): Promise<FastifyReply> {
  const document = route.documents?.[format];
  if (document === undefined) throw new Error('A route was asked for a document that it does not have.');
  const file = `filename="${route.path.split('/').at(-1)}-${modeAndDay(context)}.${format}"`;
  reply
    .code(route.success)
    .header('content-type', contentTypes[format])
    .header('content-disposition', `${attached.includes(format) ? 'attachment' : 'inline'}; ${file}`);
  // Nobody would read the archive, so it is not made.
  if (format === 'zip' && reply.request.method === 'HEAD') return reply.send('');
  const { content, policy } = await document(body, context);
  if (policy !== undefined) reply.header('content-security-policy', policy);
  return reply.send(content);
}
