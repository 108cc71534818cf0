/** What a charge of a lease's schedule is for. */
export interface Occasion {
  kind: string;
  due_on: string;
  period: string | null;
  recurring_charge_id: string | null;
}

/** Identifies what a charge is for. There is one charge for each occasion. */
export const occasionOf = ({ kind, period, due_on, recurring_charge_id }: Occasion): string =>
  recurring_charge_id === null
    ? `${kind} ${kind === 'rent' ? period : ''}`
    : `${recurring_charge_id} ${due_on}`;

/**
 * If the terms of a lease change, charges that no longer fit are voided and replaced. A reference to a voided one then
 * means its replacement: the deposit, that month's rent, or that day's parking.
 */
export function replacementsOf<
  Charge extends Occasion & { source: string },
  Voided extends Occasion & { id: string },
>(charges: readonly Charge[], voided: readonly Voided[]): Map<string, { charge: Charge; voided: Voided }> {
  const replacements = new Map<string, { charge: Charge; voided: Voided }>();
  if (voided.length === 0) return replacements;
  // A person may have made the rent of a month by hand, instead of the scheduled one.
  const canReplace = ({ kind, period, source }: Charge) =>
    source === 'schedule' || (kind === 'rent' && period !== null);
  const standing = new Map(charges.filter(canReplace).map((charge) => [occasionOf(charge), charge]));
  for (const each of voided) {
    const charge = standing.get(occasionOf(each));
    if (charge) replacements.set(each.id, { charge, voided: each });
  }
  return replacements;
}
