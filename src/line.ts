/** Where something stands in a line; only the line looks into it. */
export interface Place<Item> {
  item: Item | undefined;
  before: Place<Item>;
  behind: Place<Item>;
}

/**
 * Things in the order in which they came, each with its place, by which it leaves.
 *
 * Not a Set or a Map, where much passes through: V8 gives those a new table every so often, and the old table keeps the new
 * one. Once a full collection of garbage has moved one among the old objects, each keeps the next, and so everything that
 * was ever in them, until the next full collection. Ordinary collections then take several times as long.
 */
export class Line<Item extends object> {
  readonly #ends: Place<Item>;
  #size = 0;

  constructor() {
    const ends = { item: undefined } as Place<Item>;
    ends.before = ends;
    ends.behind = ends;
    this.#ends = ends;
  }

  get size(): number {
    return this.#size;
  }

  add(item: Item): Place<Item> {
    const ends = this.#ends;
    const place = { item, before: ends.before, behind: ends };
    ends.before.behind = place;
    ends.before = place;
    this.#size++;
    return place;
  }

  /** Whoever has left already may leave again. */
  remove(place: Place<Item>): void {
    if (place.item === undefined) return;
    place.before.behind = place.behind;
    place.behind.before = place.before;
    // Nothing may lead on from it: it may be among the old objects by now.
    place.item = undefined;
    place.before = place;
    place.behind = place;
    this.#size--;
  }

  /** From the first to the last. Who is being looked at may leave meanwhile, and take a place at the end; if the next one does, it ends. */
  *[Symbol.iterator](): Generator<Item> {
    let place = this.#ends.behind;
    while (place.item !== undefined) {
      const { item, behind } = place;
      yield item;
      place = behind;
    }
  }
}
