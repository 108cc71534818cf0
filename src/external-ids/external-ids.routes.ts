import { z } from 'zod';
import { getByExternalId } from '../db/records/external-ids.ts';
import { getRecord } from '../db/records/shape.ts';
import { writing } from '../events/writer.ts';
import type { Expansion } from '../expand/expand.schema.ts';
import { expanded } from '../expand/expand.ts';
import { requiredText } from '../fields.ts';
import { type Route, route, single } from '../http/routes/route.ts';
import { freshen } from '../ledger/freshen.ts';
import { singleOf } from '../shapes.ts';
import { putOf, putRecord, refuseOtherExternalId } from './external-ids.ts';
import { type UpsertNoun, upsertNouns } from './upsert-nouns.ts';

const params = z.object({
  external_id: requiredText(200).meta({
    description: 'The id in the other system, URL-encoded.',
    examples: ['crm-1042'],
  }),
});

/** The same two routes for every noun. */
export const externalIdRoutes: Route[] = upsertNouns.flatMap((noun) => [get(noun), put(noun)]);

function get({ path, tag, one, table, shape, record, fresh, expansion }: UpsertNoun): Route {
  return route({
    method: 'GET',
    path: `${path}/by-external-id/:external_id`,
    permission: 'read',
    tag,
    summary: `Get ${one} by its id in another system`,
    params,
    ...(expansion && { query: expansion.query }),
    // Assistants find the record with the list.
    tool: false,
    success: 200,
    response: singleOf(record),
    async handle({ db, caller, params, query, today, now }) {
      const { expand } = (query ?? {}) as { expand?: Expansion[] };
      const whole = expanded(shape(caller.accountId, today), { caller, today, expand, ...expansion?.of });
      if (fresh) await freshen(db, writing(caller, now));
      const id = await getByExternalId(db, table, caller.accountId, params.external_id ?? '');
      return single(await getRecord(db, whole, caller.accountId, id));
    },
  });
}

function put(noun: UpsertNoun): Route {
  const { path, tag, one, record, create, patch, without } = noun;
  const rules =
    patch === null
      ? `Nothing in ${one} can change: sent again unchanged it gets a 200, and with other values a 409. A voided one is made again when it is sent with other values.`
      : 'Fields that are left out stay as they are, and null clears a field, as with PATCH.';
  return route({
    method: 'PUT',
    path: `${path}/by-external-id/:external_id`,
    permission: 'write',
    tag,
    summary: `Create or change ${one} by its id in another system`,
    description: `Creates it (201), or changes it if it differs (200). Sent twice, it changes nothing the second time. ${rules}`,
    params,
    tool: false,
    body: putOf(create, without).meta({ id: `${create.meta()?.id}`.replace(/Create$/, 'Put') }),
    success: 200,
    creates: true,
    response: singleOf(record),
    conflicts:
      'It does not fit the present state, as with POST and PATCH, or a field that cannot change differs.',
    prepare: async ({ params, body }) => refuseOtherExternalId(params.external_id ?? '', body.external_id),
    async handle({ db, caller, params, body, now }) {
      const { json, created } = await putRecord(db, noun, caller, params.external_id ?? '', body, now);
      return { ...single(json), status: created ? 201 : 200 };
    },
  });
}
