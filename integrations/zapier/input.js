/** The fields of an action as the platform wants them. */
export function fieldsOf(inputs) {
  return inputs.map(({ field, items }) => (items ? { ...field, children: fieldsOf(items) } : field));
}

/** What an action was given, as the API wants it. Fields left empty are left out. */
export async function bodyOf(inputs, given, centsOf) {
  const body = {};
  for (const input of inputs) {
    const value = given[input.field.key];
    if (!isEmpty(value)) body[input.name] = await converted(input, value, centsOf);
  }
  return body;
}

async function converted({ kind, field, items }, value, centsOf) {
  switch (kind) {
    case 'text':
      return String(value);
    case 'integer':
    case 'number':
      return typeof value === 'string' && Number.isFinite(Number(value)) ? Number(value) : value;
    case 'boolean':
      return value === true || value === 'true';
    case 'money':
      return centsOf(value, field.label);
    case 'date':
      return dayOf(value);
    case 'list': {
      const bodies = await Promise.all([value].flat().map((item) => bodyOf(items, item, centsOf)));
      return bodies.filter((body) => !isEmpty(body));
    }
    default:
      return value;
  }
}

/** The platform gives a moment in the person's time zone, so its day is the day they meant. */
export const dayOf = (value) => String(value).slice(0, 10);

function isEmpty(value) {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '';
}
