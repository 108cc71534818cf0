import { conflict } from '../errors.ts';

/**
 * How many charges that are not voided a lease can have, besides late fees: a weekly one for 96 years. A lease is
 * recalculated in one go, and until then the process answers nobody else. The clock keeps posting what falls due,
 * however many charges there are.
 */
export const mostCharges = 5_000;
export const mostChargesText = mostCharges.toLocaleString('en-US');

export const tooManyCharges = () =>
  conflict('limit_reached', `A lease can have at most ${mostChargesText} charges that are not voided.`);
