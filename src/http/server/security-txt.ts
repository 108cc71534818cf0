import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { days } from '../../clock.ts';
import { notFound } from '../../errors.ts';

/** The standard recommends less than a year. The file is made on request, so it is never out of date. */
const validForDays = 180;

/** Where to report a vulnerability of this installation (RFC 9116). */
export function mountSecurityTxt(server: FastifyInstance, app: App): void {
  const { SECURITY_CONTACT: contact, PUBLIC_URL } = app.config;
  server.get('/.well-known/security.txt', (_request, reply) => {
    if (contact === '') throw notFound();
    const expires = new Date(app.now().getTime() + days(validForDays)).toISOString();
    const canonical = PUBLIC_URL === '' ? [] : [`Canonical: ${PUBLIC_URL}/.well-known/security.txt`];
    const lines = [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en', ...canonical];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}
