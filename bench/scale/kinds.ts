/** What is asked for. */
export const kinds = {
  read: 'a record',
  list: 'a page of 100 payments',
  owed: 'who owes what, a page of 100',
  poll: 'the feed of events',
  create: 'a new payment',
  change: 'a change of a tenant',
} as const;
export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as Kind[];

export const totalOf = (rates: Partial<Record<Kind, number>>): number =>
  Object.values(rates).reduce((sum, rate) => sum + rate, 0);

/** One of the kinds, each as often as its rate says. */
export function pickKind(rates: Partial<Record<Kind, number>>, random: number): Kind {
  let left = random * totalOf(rates);
  for (const kind of kindNames) {
    left -= rates[kind] ?? 0;
    if (left < 0) return kind;
  }
  throw new Error('Nothing is asked for.');
}
