import { conflict } from '../errors.ts';

/**
 * How many charges a lease can have that stand, late fees aside: a weekly one for 96 years. A lease is worked out in
 * one piece, and meanwhile nobody else is answered. The clock goes on posting what falls due, whatever their number.
 */
export const mostCharges = 5_000;

export const tooManyCharges = () =>
  conflict(
    'limit_reached',
    `A lease can have at most ${mostCharges.toLocaleString('en-US')} charges that are not voided.`,
  );
