import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@prisma/client';
import { listenFastify } from './fastify.ts';
import { serveContender } from './server.ts';

/*
 * Fastify and Prisma with its adapter for pg. Tuned: the three inserts of a create are one batch in
 * `$transaction([…])`, which is faster than an interactive transaction, and read nothing back.
 */

serveContender(async (pool, findKey) => {
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return listenFastify(findKey, {
    async list(account_id, limit) {
      const rows = await prisma.payment.findMany({
        where: { account_id },
        orderBy: { id: 'desc' },
        take: limit,
      });
      return rows.map((row) => ({
        ...row,
        amount_cents: Number(row.amount_cents),
        paid_on: dayOf(row.paid_on),
        reversed_on: row.reversed_on && dayOf(row.reversed_on),
      }));
    },
    async lease(account_id, tenant_id, text) {
      const day = new Date(text);
      const rented = await prisma.leaseTenant.findFirst({
        where: {
          account_id,
          tenant_id,
          lease: { start_date: { lte: day }, OR: [{ until: null }, { until: { gt: day } }] },
        },
        orderBy: [{ lease: { start_date: 'desc' } }, { lease: { id: 'desc' } }],
        select: { lease: { select: { id: true, unit_id: true, property_id: true, currency: true } } },
      });
      return rented?.lease;
    },
    subscribers: (account_id) =>
      prisma.webhookEndpoint.findMany({
        where: { account_id, events: { has: 'payment.created' }, status: { not: 'disabled' } },
        select: { id: true },
      }),
    insert: ({ payment, event, queued }) =>
      prisma.$transaction([
        prisma.payment.createMany({
          data: { ...payment, paid_on: new Date(payment.paid_on), reversed_on: null },
        }),
        prisma.event.createMany({ data: event }),
        prisma.queuedDelivery.createMany({ data: queued }),
      ]),
  });
});

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
