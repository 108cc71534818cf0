import { listReply, route, single } from '../http/routes/route.ts';
import { pageBounds } from '../paging.ts';

import { listOf, singleOf } from '../shapes.ts';
import { Unit, UnitCreate, UnitList, UnitPatch } from './units.schema.ts';
import { addUnit, changeUnit, getUnit, listUnits } from './units.ts';

const tag = 'Units';

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
    handle: async ({ app, db, caller, query, now }) =>
      listReply(await listUnits(db, caller.accountId, query, pageBounds(query, app.secrets, '/units'), now)),
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
    handle: async ({ db, caller, body, now }) => single(await addUnit(db, caller.accountId, body, now)),
  }),
  route({
    method: 'GET',
    path: '/units/:id',
    permission: 'read',
    tag,
    summary: 'Get a unit',
    id: 'unit',
    success: 200,
    response: singleOf(Unit),
    handle: async ({ db, caller, id, now }) => single(await getUnit(db, caller.accountId, id, now)),
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
    handle: async ({ db, caller, id, body, now }) =>
      single(await changeUnit(db, caller.accountId, id, body, now)),
  }),
];
