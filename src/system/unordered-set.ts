/** The set that contains the member maintains `index`. */
export interface Member {
  index: number;
}

export const nowhere = -1;

/**
 * A set without an order, for what passes through by the thousand: an array whose members know their positions.
 *
 * A `Set` moves to a new table every so often, and V8 makes the old table refer to the new one. Once one of them is
 * among the old objects, everything that was ever in the later tables is kept until the next full collection, and every
 * small collection copies more. An array that shrinks and grows again also leaves old tables behind, so this one does
 * not shrink. With `Set`, a small collection in a busy worker moved 2 MB to the old objects instead of 1.
 */
export class UnorderedSet<Item extends Member> {
  readonly #items: (Item | undefined)[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(item: Item): void {
    item.index = this.#size;
    this.#items[this.#size++] = item;
  }

  /** Moves the last member to the position that becomes free. */
  delete(item: Item): void {
    if (this.#items[item.index] !== item) return;
    const last = this.#items[--this.#size];
    this.#items[this.#size] = undefined;
    if (last !== undefined && last !== item) {
      this.#items[item.index] = last;
      last.index = item.index;
    }
    item.index = nowhere;
  }

  /** A copy, so that members may leave while it is read. */
  all(): Item[] {
    return this.#items.filter((item) => item !== undefined);
  }
}
