/** The fields of an action in the platform's form. */
export function fieldsOf(inputs) {
  return inputs.map(({ field, items }) => (items ? { ...field, children: fieldsOf(items) } : field));
}

/** The input of an action in the API's form. Empty fields are left out. */
export async function bodyOf(inputs, inputData, centsOf) {
  const body = {};
  for (const input of inputs) {
    const value = inputData[input.field.key];
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
    case 'ids':
      return [value].flat().filter((id) => !isEmpty(id));
    case 'list': {
      const bodies = await Promise.all([value].flat().map((item) => bodyOf(items, item, centsOf)));
      return bodies.filter((body) => !isEmpty(body));
    }
    default:
      return value;
  }
}

/** The platform gives a time in the person's time zone, so its date is the day they meant. */
export const dayOf = (value) => String(value).slice(0, 10);

function isEmpty(value) {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '';
}
