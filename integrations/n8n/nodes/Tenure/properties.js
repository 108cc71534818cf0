const generated = require('./generated.json');

/** All properties of the node: which resource, which operation on it, and what that needs. */
const properties = () => [
  {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options: byName(generated.resources.map(({ value, label }) => ({ name: label, value }))),
    default: 'tenant',
  },
  ...generated.resources.flatMap(propertiesOf),
];

function propertiesOf(resource) {
  const shownFor = (...operations) => ({ show: { resource: [resource.value], operation: operations } });
  return [
    operationsOf(resource),
    ...idOf(resource, shownFor),
    ...manyOf(resource, shownFor),
    ...writesOf(resource, shownFor('create'), resource.create, {
      displayName: 'Additional Fields',
      name: 'additionalFields',
      more: [idempotencyKey],
    }),
    ...writesOf(resource, shownFor('update'), resource.update, {
      displayName: 'Update Fields',
      name: 'updateFields',
      more: [],
    }),
  ];
}

function operationsOf({ value, label, path, create, update, get, delete: deletes }) {
  const thing = label.toLowerCase();
  const things = `${thing.replace(/y$/, 'ie')}s`;
  const one = `=${path}/{{encodeURIComponent($parameter["id"])}}`;
  const article = /^[aeiou](?!n)/.test(thing) ? 'an' : 'a';
  const operation = (name, action, method, url, more = {}) => ({
    name: name === 'getAll' ? 'Get Many' : name.charAt(0).toUpperCase() + name.slice(1),
    value: name,
    action,
    description: action,
    routing: { request: { method, url }, output: { postReceive: [onlyData] }, ...more },
  });
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [value] } },
    options: [
      ...(create ? [operation('create', `Create ${article} ${thing}`, 'POST', path)] : []),
      ...(deletes ? [operation('delete', `Delete ${article} ${thing}`, 'DELETE', one)] : []),
      ...(get ? [operation('get', `Get ${article} ${thing}`, 'GET', one)] : []),
      operation('getAll', `Get many ${things}`, 'GET', path),
      ...(update ? [operation('update', `Update ${article} ${thing}`, 'PATCH', one)] : []),
    ],
    default: 'getAll',
  };
}

/** The API answers `{"data": …}`. */
const onlyData = { type: 'rootProperty', properties: { property: 'data' } };

function idOf({ label, get, update, delete: deletes }, shownFor) {
  const operations = [get && 'get', update && 'update', deletes && 'delete'].filter(Boolean);
  if (operations.length === 0) return [];
  return [
    {
      displayName: `${label} ID`,
      name: 'id',
      type: 'string',
      required: true,
      default: '',
      displayOptions: shownFor(...operations),
    },
  ];
}

const mostOnAPage = 1000;

/** A page says in its Link header where the next one begins. */
const followPages = {
  type: 'generic',
  properties: {
    continue: '={{ !!$response.headers?.link }}',
    request: {
      qs: '={{ Object.assign({}, $request.qs, $response.headers?.link ? { cursor: decodeURIComponent($response.headers.link.split("cursor=")[1].split(/[&>]/)[0]) } : {}) }}',
    },
  },
};

function manyOf({ filters }, shownFor) {
  const displayOptions = shownFor('getAll');
  const { resource } = displayOptions.show;
  return [
    {
      displayName: 'Return All',
      name: 'returnAll',
      type: 'boolean',
      default: false,
      description: 'Whether to return all results or only up to a given limit',
      displayOptions,
      routing: {
        send: {
          paginate: '={{ $value }}',
          type: 'query',
          property: 'limit',
          value: `={{ $value ? ${mostOnAPage} : undefined }}`,
        },
        operations: { pagination: followPages },
      },
    },
    {
      displayName: 'Limit',
      name: 'limit',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: mostOnAPage },
      default: 50,
      description: 'Max number of results to return',
      displayOptions: { show: { resource, operation: ['getAll'], returnAll: [false] } },
      routing: { send: { type: 'query', property: 'limit' } },
    },
    collection(
      'Filters',
      'filters',
      'Add Filter',
      displayOptions,
      filters.map((field) => property(field, 'query')),
    ),
  ];
}

function writesOf(_resource, displayOptions, fields, { displayName, name, more }) {
  if (fields === undefined) return [];
  const required = fields.filter((field) => field.required);
  const optional = fields.filter((field) => !field.required);
  return [
    ...required.map((field) => ({ ...property(field, 'body'), required: true, displayOptions })),
    collection(displayName, name, 'Add Field', displayOptions, [
      ...optional.map((field) => property(field, 'body')),
      ...more,
    ]),
  ];
}

const collection = (displayName, name, placeholder, displayOptions, options) => ({
  displayName,
  name,
  type: 'collection',
  placeholder,
  default: {},
  displayOptions,
  options: options.toSorted((a, b) => a.displayName.localeCompare(b.displayName)),
});

const idempotencyKey = {
  displayName: 'Idempotency Key',
  name: 'idempotencyKey',
  type: 'string',
  default: '',
  description:
    'Something that identifies what happened, such as the ID of an order. If this runs again with the same value within 24 hours, nothing is recorded twice.',
  routing: { request: { headers: { 'Idempotency-Key': '={{ $value }}' } } },
};

/** How a field is asked for, and what is made of it on the way. */
const kinds = {
  text: { type: 'string', default: '' },
  number: { type: 'number', default: 0 },
  boolean: { type: 'boolean', default: false },
  // A day has no time, whatever the picker adds.
  day: { type: 'dateTime', default: '', value: '={{ $value.toString().slice(0, 10) }}' },
  moment: {
    type: 'dateTime',
    default: '',
    value: '={{ DateTime.fromISO($value.toString()).toUTC().toISO() }}',
  },
  choice: { type: 'options' },
  choices: { type: 'multiOptions', default: [], value: '={{ [$value].flat().join(",") }}' },
  ids: {
    type: 'string',
    default: '',
    hint: 'Several are separated by commas',
    value: '={{ [$value].flat().join(",").split(",").map((id) => id.trim()).filter((id) => id !== "") }}',
  },
  json: {
    type: 'json',
    default: '',
    value: '={{ typeof $value === "string" && /^[\\s]*[\\[{]/.test($value) ? JSON.parse($value) : $value }}',
  },
};

function property({ name, label, kind, description, choices }, to) {
  const { value, ...shape } = kinds[kind];
  const options = choices && byName(choices.map((each) => ({ name: titled(each), value: each })));
  return {
    displayName: label,
    name,
    ...shape,
    ...(options ? { options } : {}),
    ...(kind === 'choice' ? { default: options[0].value } : {}),
    ...(description ? { description } : {}),
    routing: { send: { type: to, property: name, ...(value ? { value } : {}) } },
  };
}

const byName = (options) => options.toSorted((a, b) => a.name.localeCompare(b.name));

const titled = (text) =>
  text
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

module.exports = { properties, titled };
