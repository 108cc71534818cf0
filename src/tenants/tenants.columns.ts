import { orNull, table, text } from '../db/records/columns.ts';

export const tenants = table(
  'tenants',
  { alias: 't', prefix: 'ten' },
  {
    first_name: text,
    last_name: text,
    email: orNull(text),
    phone: orNull(text),
    notes: orNull(text),
    external_id: orNull(text),
  },
);
