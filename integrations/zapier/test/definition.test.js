import './environment.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import zapier from 'zapier-platform-core';
import { subscribableEvents } from '../../../src/events/catalogue.ts';
import app from '../index.js';

const visible = (group) => Object.values(group).filter(({ display }) => !display.hidden);
const everything = [...visible(app.triggers), ...visible(app.creates), ...visible(app.searches)];
const inputsOf = ({ operation }) =>
  (operation.inputFields ?? []).flatMap((field) => [field, ...(field.children ?? [])]);

test('the definition passes the validation of the platform', async () => {
  const handle = zapier.createAppHandler(app);
  const { results } = await handle({ command: 'validate' });
  assert.deepEqual(results, []);
});

test('the definition can be uploaded: it is plain data with every part in it', async () => {
  const { results } = await zapier.createAppHandler(app)({ command: 'definition' });
  assert.equal(results.platformVersion, '19.1.0');
  assert.equal(Object.keys(results.triggers).length, subscribableEvents.length + 6);
  assert.deepEqual(Object.keys(results.creates), [
    'create_property',
    'create_unit',
    'create_tenant',
    'update_tenant',
    'create_lease',
    'record_payment',
    'create_charge',
    'create_credit',
    'create_recurring_charge',
    'create_maintenance_request',
    'update_maintenance_request',
  ]);
  assert.deepEqual(Object.keys(results.searches), [
    'find_tenant',
    'find_property',
    'find_unit',
    'find_lease',
  ]);
});

test('every event of the catalogue has an instant trigger', () => {
  const hooks = visible(app.triggers);
  assert.deepEqual(
    hooks.map(({ key }) => key),
    subscribableEvents.map((event) => event.replace('.', '_')),
  );
  for (const { operation } of hooks) {
    assert.equal(operation.type, 'hook');
    for (const name of ['perform', 'performList', 'performSubscribe', 'performUnsubscribe'])
      assert.equal(typeof operation[name], 'function');
  }
});

/*
 * The checks that the platform runs on its servers before a version may be published, as far as they concern
 * the definition (the numbers are those of its reference).
 */
test('labels are in title case (D018)', () => {
  for (const { display, noun } of [...everything, ...Object.values(app.searchOrCreates)])
    for (const text of [display.label, noun ?? 'Noun']) assert.match(text, /^[A-Z]\w*( ([A-Z]\w*|or))*$/);
});

test('descriptions begin with what they do and end with a full stop (D021)', () => {
  const beginnings = {
    triggers: /^Triggers when /,
    creates: /^(Creates|Records|Changes) /,
    searches: /^Finds a /,
  };
  for (const [group, beginning] of Object.entries(beginnings))
    for (const { display } of visible(app[group])) {
      assert.match(display.description, beginning);
      assert.match(display.description, /^[^`]*[^.]\.$/);
    }
});

test('every field to fill in has a label, and help that says more than the label (D011)', () => {
  for (const each of everything)
    for (const { key, label, helpText } of inputsOf(each)) {
      assert.match(label, /^[A-Z]/, `${each.key}.${key}`);
      assert.notEqual(helpText?.toLowerCase(), label.toLowerCase());
    }
});

test('ids are chosen from lists that exist, and can be searched for where there is a search (D004, D005, D013)', () => {
  for (const each of everything)
    for (const { key, dynamic, search } of inputsOf(each).filter(({ key }) => /(^|_)id$/.test(key))) {
      if (/external_id$/.test(key) || key === 'deduplication_id') continue;
      const [list, id, text] = dynamic.split('.');
      assert.ok(app.triggers[list]?.display.hidden, `${each.key}.${key}`);
      assert.deepEqual([id, text], ['id', 'choice']);
      if (search) assert.ok(app.searches[search.split('.')[0]], `${each.key}.${key}`);
    }
});

test('samples have an id, moments in ISO 8601, and every output field in its type (D010, D023, D024)', () => {
  for (const { key, operation } of everything) {
    assert.match(operation.sample.id, /^[a-z]+_[0-9a-f]{32}$/);
    assert.ok(!JSON.stringify(operation.sample).includes('"text"'), `${key} has an example to be given`);
    for (const field of operation.outputFields) {
      const value = field.key.split('__').reduce((inner, name) => inner?.[name], operation.sample);
      if (value === null || value === undefined) {
        // Null itself, or inside of an object that is null.
        assert.ok(field.key.split('__')[0] in operation.sample, `${key}.${field.key}`);
      } else assert.ok(fits(value, field), `${key}.${field.key} = ${value}`);
    }
  }
});

function fits(value, { type, list }) {
  if (list) return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'datetime') return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
  return typeof value === type;
}
