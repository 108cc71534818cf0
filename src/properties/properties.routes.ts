import { needScope } from '../api-keys/scopes.ts';
import { getRecord } from '../db/records/shape.ts';
import { deletedRecord } from '../deletion/deletion.schema.ts';
import { listReply, route, single } from '../http/routes/route.ts';
import { pageBounds } from '../paging.ts';
import { listOf, singleOf } from '../shapes.ts';
import { Property, PropertyCreate, PropertyList, PropertyPatch } from './properties.schema.ts';
import { listProperties, propertyShape } from './properties.store.ts';
import { addProperty, changeProperty, deleteProperty } from './properties.ts';

const tag = 'Properties';

export const propertyRoutes = [
  route({
    method: 'GET',
    path: '/properties',
    permission: 'read',
    tag,
    summary: 'List properties',
    query: PropertyList,
    success: 200,
    response: listOf(Property),
    async handle({ app, db, caller, query, today }) {
      const bounds = pageBounds(query, app.secrets, '/properties');
      return listReply(await listProperties(db, caller.accountId, query, bounds, today));
    },
  }),
  route({
    method: 'POST',
    path: '/properties',
    permission: 'write',
    tag,
    summary: 'Create a property',
    description: 'With `units`, the property and all its units are created, or nothing is.',
    body: PropertyCreate,
    success: 201,
    response: singleOf(Property),
    // A key that may not make units must not do so by adding properties.
    async prepare({ caller, body }) {
      if (body.units.length > 0) needScope(caller, 'units');
    },
    handle: async ({ db, caller, body, now }) => single(await addProperty(db, caller, body, now)),
  }),
  route({
    method: 'GET',
    path: '/properties/:id',
    permission: 'read',
    tag,
    summary: 'Get a property',
    id: 'prop',
    success: 200,
    response: singleOf(Property),
    handle: async ({ db, caller: { accountId }, id, today }) =>
      single(await getRecord(db, propertyShape(accountId, today), accountId, id)),
  }),
  route({
    method: 'PATCH',
    path: '/properties/:id',
    permission: 'write',
    tag,
    summary: 'Change or archive a property',
    id: 'prop',
    body: PropertyPatch,
    success: 200,
    response: singleOf(Property),
    handle: async ({ db, caller, id, body, now }) => single(await changeProperty(db, caller, id, body, now)),
  }),
  route({
    method: 'DELETE',
    path: '/properties/:id',
    permission: 'write',
    tag,
    summary: 'Delete a property that nothing refers to',
    description: 'Its history stays. No event is sent; `error.details` says what refers to it.',
    id: 'prop',
    success: 200,
    response: singleOf(deletedRecord('prop', 'Property')),
    conflicts: 'Units or maintenance requests refer to the property.',
    handle: async ({ db, caller, id, now }) => single(await deleteProperty(db, caller, id, now)),
  }),
];
