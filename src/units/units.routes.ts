import type { Caller } from '../caller.ts';
import { getRecord, type RecordShape } from '../db/records/shape.ts';
import { deletedRecord } from '../deletion/deletion.schema.ts';
import type { Expansion } from '../expand/expand.schema.ts';
import { expanded } from '../expand/expand.ts';
import { listReply, route, single } from '../http/routes/route.ts';
import { pageBounds } from '../paging.ts';
import { listOf, singleOf } from '../shapes.ts';
import { Unit, UnitCreate, UnitList, UnitPatch, UnitQuery } from './units.schema.ts';
import { listUnits, unitShape } from './units.store.ts';
import { addUnit, changeUnit, deleteUnit } from './units.ts';

const tag = 'Units';

const shapeFor = (caller: Caller, today: string, expand: Expansion[] | undefined): RecordShape =>
  expanded(unitShape(caller.accountId, today), { caller, today, expand });

export const unitRoutes = [
  route({
    method: 'GET',
    path: '/units',
    permission: 'read',
    tag,
    summary: 'List units',
    query: UnitList,
    success: 200,
    response: listOf(Unit),
    async handle({ app, db, caller, query, today }) {
      const bounds = pageBounds(query, app.secrets, '/units');
      const shape = shapeFor(caller, today, query.expand);
      return listReply(await listUnits(db, shape, caller.accountId, query, bounds, today));
    },
  }),
  route({
    method: 'POST',
    path: '/units',
    permission: 'write',
    tag,
    summary: 'Add a unit to a property',
    body: UnitCreate,
    success: 201,
    response: singleOf(Unit),
    conflicts: 'The property already has a unit with this name.',
    handle: async ({ db, caller, body, now }) => single(await addUnit(db, caller, body, now)),
  }),
  route({
    method: 'GET',
    path: '/units/:id',
    permission: 'read',
    tag,
    summary: 'Get a unit',
    id: 'unit',
    query: UnitQuery,
    success: 200,
    response: singleOf(Unit),
    handle: async ({ db, caller, id, query, today }) =>
      single(await getRecord(db, shapeFor(caller, today, query.expand), caller.accountId, id)),
  }),
  route({
    method: 'PATCH',
    path: '/units/:id',
    permission: 'write',
    tag,
    summary: 'Change a unit',
    id: 'unit',
    body: UnitPatch,
    success: 200,
    response: singleOf(Unit),
    conflicts: 'The property already has a unit with this name.',
    handle: async ({ db, caller, id, body, now }) => single(await changeUnit(db, caller, id, body, now)),
  }),
  route({
    method: 'DELETE',
    path: '/units/:id',
    permission: 'write',
    tag,
    summary: 'Delete a unit that nothing refers to',
    description: 'Its history stays. No event is sent; `error.details` says what refers to it.',
    id: 'unit',
    success: 200,
    response: singleOf(deletedRecord('unit', 'Unit')),
    conflicts: 'Leases or maintenance requests refer to the unit.',
    handle: async ({ db, caller, id, now }) => single(await deleteUnit(db, caller, id, now)),
  }),
];
