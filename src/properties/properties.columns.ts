import { integer, json, orNull, table, text, word } from '../db/records/columns.ts';
import type { LateFees } from '../ledger/rules/late-fee-policy.ts';

export const properties = table(
  'properties',
  { alias: 'p', prefix: 'prop' },
  {
    name: text,
    type: word(),
    address: orNull(text),
    address_line2: orNull(text),
    city: orNull(text),
    state: orNull(text),
    postal_code: orNull(text),
    country: orNull(word()),
    year_built: orNull(integer),
    notes: orNull(text),
    external_id: orNull(text),
    late_fees: json<LateFees>(),
    status: word(),
  },
);
