import { conflict } from '../errors.ts';

/**
 * How many charges a lease can have that are not voided, besides late fees: a weekly one for 96 years. A lease is
 * recalculated in one piece, and meanwhile the process answers nobody else. The clock keeps posting what falls due,
 * whatever their number.
 */
export const mostCharges = 5_000;

export const tooManyCharges = () =>
  conflict(
    'limit_reached',
    `A lease can have at most ${mostCharges.toLocaleString('en-US')} charges that are not voided.`,
  );
