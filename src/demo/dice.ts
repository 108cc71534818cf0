/** Chance that is always the same for the same seed, so that everybody sees the same demo. */
export interface Dice {
  /** From 0 (included) to 1. */
  roll(): number;
  between(least: number, most: number): number;
  happens(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** mulberry32: small, and good enough for a demo. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const roll = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(roll() * (most - least + 1));
  return {
    roll,
    between,
    happens: (probability) => roll() < probability,
    pick: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('Nothing to pick from.');
      return item;
    },
  };
}
