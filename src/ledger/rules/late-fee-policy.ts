import { z } from 'zod';
import { cents, wholeNumber } from '../../fields.ts';
import { maxCents } from '../../money.ts';

const percent = z
  .number('Must be a percentage such as 5.')
  .gt(0, 'Must be more than zero.')
  .max(100, 'Must be at most 100.')
  .refine((value) => Number(value.toFixed(2)) === value, 'Must have at most two decimals.');

/** What one late day costs: an amount, or a percentage of the rent charged or of what is still open of it. */
export type Fee = { fixed_cents: number } | { percent_of_rent: number } | { percent_of_open: number };

const feeMessage = 'Must have exactly one of fixed_cents, percent_of_rent, percent_of_open.';
const Fee = z
  .object(
    {
      fixed_cents: cents.optional(),
      percent_of_rent: percent.optional(),
      percent_of_open: percent.optional(),
    },
    feeMessage,
  )
  .transform(({ fixed_cents, percent_of_rent, percent_of_open }, context) => {
    const given: Fee[] = [
      ...(fixed_cents === undefined ? [] : [{ fixed_cents }]),
      ...(percent_of_rent === undefined ? [] : [{ percent_of_rent }]),
      ...(percent_of_open === undefined ? [] : [{ percent_of_open }]),
    ];
    const [fee] = given;
    if (fee !== undefined && given.length === 1) return fee;
    context.addIssue({ code: 'custom', message: feeMessage });
    return z.NEVER;
  })
  .meta({ examples: [{ fixed_cents: 5000 }] });

export const LateFeePolicy = z
  .object(
    {
      grace_days: wholeNumber(0, 60).meta({
        description: 'Days after the due day on which payment is still on time.',
      }),
      first: Fee.meta({ description: 'Charged on the day after the last day of grace.' }),
      daily: Fee.nullable()
        .default(null)
        .meta({ description: 'Charged on each day after that while rent of the charge is open.' }),
      cap_cents: cents
        .nullable()
        .default(null)
        .meta({ description: 'The maximum fees for one rent charge.' }),
      min_open_cents: z
        .int('Must be a whole number of minor units.')
        .min(0, 'Must not be negative.')
        .max(maxCents)
        .default(0)
        .meta({ description: 'No fee if less than this is open.' }),
    },
    'Must be a policy, such as {"grace_days": 5, "first": {"fixed_cents": 5000}}.',
  )
  .meta({ id: 'LateFeePolicy', description: 'The fees for late rent.' });

export type LateFeePolicy = z.output<typeof LateFeePolicy>;

/** For a lease or a property: what the level above says, nothing, or a policy of its own. */
export const LateFees = z
  .union([z.literal('inherit'), z.literal('none'), LateFeePolicy], {
    error: 'Must be inherit, none, or a policy.',
  })
  .meta({ description: '`inherit` follows the property, then the account; `none` fines nothing.' });

export type LateFees = z.output<typeof LateFees>;
