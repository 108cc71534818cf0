import { z } from 'zod';
import {
  calendarDate,
  cents,
  choice,
  choiceFilter,
  exactExternalId,
  externalId,
  idOf,
  optionally,
  optionalText,
  publicId,
  searchedWords,
  searchText,
  shownDecimal,
  shownExternalId,
  timestamp,
} from '../../fields.ts';
import { sortedQuery } from '../../paging.ts';

const creditReasons = ['concession', 'write_off', 'adjustment', 'deposit'] as const;
export type CreditReason = (typeof creditReasons)[number];
const creditSources = ['api', 'dashboard', 'import'] as const;
const creditStatuses = ['active', 'voided'] as const;

export const Credit = z
  .object({
    id: publicId('crd'),
    lease_id: publicId('lease'),
    property_id: publicId('prop'),
    unit_id: publicId('unit'),
    amount_cents: z.int().meta({ description: 'Amount in minor units.', examples: [5000] }),
    amount: shownDecimal,
    currency: z.string().meta({ description: "The lease's.", examples: ['USD'] }),
    credited_on: z.iso.date(),
    reason: z.enum(creditReasons).meta({ description: '`deposit` applies money that is held as a deposit.' }),
    charge_id: publicId('chg').nullable().meta({ description: 'The charge that it pays first.' }),
    memo: z.string().nullable(),
    external_id: shownExternalId,
    source: z.enum(creditSources),
    voided_on: z.iso.date().nullable(),
    void_reason: z.string().nullable(),
    status: z.enum(creditStatuses),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Credit', description: 'An amount that a lease no longer owes, even though nobody paid it.' });

export const CreditCreate = z
  .object({
    lease_id: idOf('lease'),
    amount_cents: cents.meta({ description: 'Amount in minor units: 5000 is 50.00.', examples: [5000] }),
    credited_on: calendarDate.optional().meta({ description: 'Default: today.' }),
    reason: choice(creditReasons),
    charge_id: optionally(idOf('chg')).meta({ description: 'The charge that it pays first.' }),
    memo: optionalText(2000),
    external_id: externalId,
  })
  .meta({ id: 'CreditCreate' });

export const creditSortFields = ['credited_on'] as const;

export const CreditList = z.object({
  lease_id: idOf('lease').optional(),
  tenant_id: idOf('ten').optional(),
  property_id: idOf('prop').optional(),
  external_id: exactExternalId,
  reason: choiceFilter(creditReasons),
  status: choiceFilter(creditStatuses),
  from: calendarDate.optional().meta({ description: 'First `credited_on` to include.' }),
  to: calendarDate.optional().meta({ description: 'Last `credited_on` to include.' }),
  q: searchText.optional().meta({
    description: `Words in the names of its tenants, unit or property, or in its memo or \`external_id\`. ${searchedWords}`,
  }),
  ...sortedQuery(creditSortFields),
});

export type CreditInput = z.output<typeof CreditCreate>;
export type CreditFilter = z.output<typeof CreditList>;
