import type { FastifyReply, FastifyRequest } from 'fastify';
import { preferredType } from './accept.ts';
import { csvColumns } from './csv.ts';
import type { Route } from './route.ts';

const types = { csv: 'text/csv', html: 'text/html', pdf: 'application/pdf' } as const;
export type Format = keyof typeof types;

/** What the answer can be written as beside JSON. */
export const formatsOf = (route: Route): Format[] => [
  ...(csvColumns(route) === null ? [] : (['csv'] as const)),
  ...(Object.keys(route.documents ?? {}) as ('html' | 'pdf')[]),
];

/** What is asked for, by the Accept header; or by `?format=`, for links, which cannot have headers. */
export function askedFormat(route: Route, request: FastifyRequest): Format | 'json' {
  const formats = formatsOf(route);
  const { format } = request.query as { format?: unknown };
  const type = preferredType(
    request.headers.accept,
    formats.map((each) => types[each]),
  );
  return formats.find((each) => (format === undefined ? types[each] === type : each === format)) ?? 'json';
}

/** How the OpenAPI document shows those that a route writes itself. */
export const documentContent = (route: Route): object =>
  Object.fromEntries(
    Object.keys(route.documents ?? {}).map((format) => [
      types[format as Format],
      {
        schema: {
          type: 'string',
          description: `\`Accept: ${types[format as Format]}\`, or \`?format=${format}\` in a link.`,
        },
      },
    ]),
  );

/** A page or a file made of a route's JSON. */
export async function sendDocument(
  reply: FastifyReply,
  route: Route,
  format: 'html' | 'pdf',
  { body, day, accountId }: { body: string; day: string; accountId: string },
): Promise<FastifyReply> {
  const document = route.documents?.[format];
  if (document === undefined) throw new Error('A route was asked for a document that it does not have.');
  const name = route.path.split('/').at(-1);
  const { content, policy } = await document(body, accountId);
  if (policy !== undefined) reply.header('content-security-policy', policy);
  return reply
    .code(route.success)
    .header('content-type', format === 'html' ? 'text/html; charset=utf-8' : types[format])
    .header('content-disposition', `inline; filename="${name}-${day}.${format}"`)
    .send(content);
}
