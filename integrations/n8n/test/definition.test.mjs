import './n8n.mjs';
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { subscribableEvents } from '../../../src/events/catalogue.ts';

const require = createRequire(import.meta.url);
const { PackageDirectoryLoader } = require('n8n-core');
const { NodeHelpers } = require('n8n-workflow');

/* The package as n8n loads it, and the habits of its editor. */

const loader = new PackageDirectoryLoader(new URL('..', import.meta.url).pathname);
await loader.loadAll();
const { tenure, tenureTrigger } = Object.fromEntries(
  Object.entries(loader.nodeTypes).map(([name, { type }]) => [name, type.description]),
);

test('n8n loads both nodes and the credential, with their icons', () => {
  assert.deepEqual(Object.keys(loader.nodeTypes), ['tenure', 'tenureTrigger']);
  assert.deepEqual(Object.keys(loader.credentialTypes), ['tenureApi']);
  for (const { iconUrl } of [tenure, tenureTrigger]) assert.match(iconUrl, /tenure\.svg$/);
  assert.deepEqual(loader.credentialTypes.tenureApi.type.supportedNodes, ['tenure', 'tenureTrigger']);
});

test('every event of the catalogue can be chosen, and all of them at once', () => {
  const { options } = tenureTrigger.properties.find(({ name }) => name === 'events');
  assert.deepEqual(options.map(({ value }) => value).sort(), ['*', ...subscribableEvents].sort());
});

test('every operation of every resource makes a request, and asks for no more than it shows', () => {
  const operations = tenure.properties.filter(({ name }) => name === 'operation');
  assert.equal(operations.length, tenure.properties[0].options.length);
  for (const { options, displayOptions } of operations)
    for (const { value, routing } of options) {
      const [resource] = displayOptions.show.resource;
      assert.match(routing.request.url, /^=?\/[a-z-]+/);
      const node = { parameters: { resource, operation: value }, typeVersion: 1, type: 'tenure' };
      const filled = NodeHelpers.getNodeParameters(
        tenure.properties,
        node.parameters,
        true,
        false,
        node,
        tenure,
      );
      const issues = NodeHelpers.getNodeParametersIssues(
        tenure.properties,
        { ...node, parameters: filled },
        tenure,
      );
      const missing = Object.keys(issues?.parameters ?? {});
      const required = tenure.properties.filter(
        (each) =>
          each.required && each.default === '' && NodeHelpers.displayParameter(filled, each, node, tenure),
      );
      assert.deepEqual(missing.sort(), required.map(({ name }) => name).sort(), `${resource} ${value}`);
    }
});

test('names in lists are in order, and every property has a label and a value to begin with', () => {
  const all = tenure.properties.flatMap((each) => [
    each,
    ...(each.type === 'collection' ? each.options : []),
  ]);
  for (const { name, displayName, type, options, default: first } of all) {
    assert.match(displayName, /^[A-Z(]/);
    assert.notEqual(first, undefined, name);
    if (type !== 'options' && type !== 'multiOptions') continue;
    const names = options.map((each) => each.name);
    assert.deepEqual(
      names,
      names.toSorted((a, b) => a.localeCompare(b)),
      name,
    );
    if (type === 'options')
      assert.ok(
        options.some(({ value }) => value === first),
        name,
      );
  }
});
