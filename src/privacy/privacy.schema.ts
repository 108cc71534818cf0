import { z } from 'zod';
import { Event } from '../events/events.schema.ts';
import { File } from '../files/files.schema.ts';
import { HistoryEntry } from '../history/history.schema.ts';
import { Lease } from '../leases/leases.schema.ts';
import { Charge } from '../ledger/charges/charges.schema.ts';
import { Credit } from '../ledger/credits/credits.schema.ts';
import { DepositRefund } from '../ledger/deposits/deposits.schema.ts';
import { RecurringCharge } from '../ledger/recurring/recurring.schema.ts';
import { MaintenanceRequest } from '../maintenance/maintenance.schema.ts';
import { Payment } from '../payments/payments.schema.ts';
import { Tenant } from '../tenants/tenants.schema.ts';

const kinds = {
  tenants: z.array(Tenant).meta({ description: 'The tenant.' }),
  leases: z.array(Lease),
  payments: z.array(Payment),
  charges: z.array(Charge).meta({ description: 'Those of their leases, like the credits and so on.' }),
  credits: z.array(Credit),
  recurring_charges: z.array(RecurringCharge),
  deposit_refunds: z.array(DepositRefund),
  maintenance_requests: z.array(MaintenanceRequest),
  files: z.array(File).meta({ description: 'Their files; the archive also has the content.' }),
  history: z.array(
    HistoryEntry.extend({
      record_id: z.string().meta({
        description: 'The record it is about: its id without the prefix.',
        examples: ['019a8b2c4d5e7f608192a3b4c5d6e7f8'],
      }),
    }).meta({ id: 'ExportedHistoryEntry' }),
  ),
  events: z.array(Event).meta({ description: 'Events about them, as far as they are kept.' }),
  deliveries: z
    .array(z.record(z.string(), z.unknown()))
    .meta({ description: 'What webhook endpoints answered to those events, as far as it is kept.' }),
};

export const TenantExport = z
  .object({
    ...kinds,
    incomplete: z.array(z.enum(Object.keys(kinds) as [keyof typeof kinds])).meta({
      description:
        'Kinds of which only the newest are here: at most 1,000 of each, and 8 MB in all. ' +
        'The archive (`application/zip`) has all.',
      examples: [[]],
    }),
  })
  .meta({ id: 'TenantExport', description: 'Everything kept about a tenant.' });
