import type { App } from '../app.ts';
import { audit } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import { deletedRecord } from '../deletion/deletion.schema.ts';
import { route, single } from '../http/routes/route.ts';
import { formatId } from '../ids.ts';
import { singleOf } from '../shapes.ts';
import { Tenant } from '../tenants/tenants.schema.ts';
import { deleteTenant } from './delete-tenant.ts';
import { eraseTenant } from './erase-tenant.ts';
import { TenantExport } from './privacy.schema.ts';
import { exportTenant, needScopesOfTenant, zipStream } from './tenant-export.ts';

const tag = 'Tenants';

export const privacyRoutes = [
  route({
    method: 'DELETE',
    path: '/tenants/:id',
    permission: 'write',
    tag,
    summary: 'Delete a tenant that nothing refers to',
    description:
      'Its history stays, without personal data, which is also taken out of events and deliveries. ' +
      'No event is sent; `error.details` says what refers to it.',
    id: 'ten',
    success: 200,
    response: singleOf(deletedRecord('ten', 'Tenant')),
    conflicts: 'Leases, payments or maintenance requests refer to the tenant.',
    handle: async ({ db, caller, id, now }) => single(await deleteTenant(db, caller, id, now)),
  }),
  route({
    method: 'GET',
    path: '/tenants/:id/export',
    permission: 'read',
    tag,
    summary: 'Export everything kept about a tenant',
    description:
      'Their record, leases, payments, charges, credits, maintenance requests, files, history and notes, events and deliveries. ' +
      'As a ZIP archive it has the same in JSON and CSV, with statements as PDFs and the content of files. ' +
      'For a lease with other tenants, history, statement and files are left out: they tell about the others too. ' +
      'A key with scopes needs the scopes of all of it. The audit log notes it.',
    id: 'ten',
    success: 200,
    response: singleOf(TenantExport),
    documents: {
      zip: async (_body, { db, caller, id, now }) => {
        if (caller === null) throw new Error('An archive was asked for without a caller.');
        return { content: await zipStream(db, caller, id, now) };
      },
    },
    prepare: async ({ caller }) => needScopesOfTenant(caller),
    async handle({ app, db, caller, id, now }) {
      const body = await exportTenant(db, caller, id, now);
      await noteExport(app, caller, id);
      return single(body);
    },
  }),
  route({
    method: 'POST',
    path: '/tenants/:id/erase',
    permission: 'write',
    tag,
    summary: 'Erase the personal data of a tenant',
    description:
      'For good: names, contacts and notes, texts of their payments, charges and maintenance requests, their files, and the same in history, events and deliveries. ' +
      'Amounts, dates and leases stay, so that all sums are as before. Repeating it does no harm. ' +
      'A key with scopes needs the scopes of all of it.',
    id: 'ten',
    success: 200,
    response: singleOf(Tenant),
    conflicts: 'A lease of theirs has not ended.',
    prepare: async ({ caller }) => needScopesOfTenant(caller),
    handle: async ({ app, db, caller, id, now }) =>
      single(await eraseTenant(db, app.secrets, caller, id, now, app.now())),
  }),
];

/** If it cannot be written, people may still read. */
async function noteExport({ db, log }: App, caller: Caller, id: string): Promise<void> {
  try {
    await audit(db, caller, 'export.downloaded', { subject: `/tenants/${formatId('ten', id)}/export` });
  } catch (error) {
    log.warn({ err: error }, 'an export could not be noted');
  }
}
