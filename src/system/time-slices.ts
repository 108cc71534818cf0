/** A request goes through the event loop about six times. All of these together must not cost it 50 ms. */
const sliceMs = 4;

/** Those waiting for the next slice, in order. */
const waiting: (() => void)[] = [];

function beginNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(beginNext);
}

/**
 * Does long work in short slices, with everybody else's requests in between. All long work of a process also takes
 * turns among itself: the event loop goes round after each slice, however many are waiting.
 *
 * if (slice.isOver()) await slice.next();
 */
export class TimeSlice {
  #endsAt = 0;

  /**
   * Whether the slice is over. A long wait for something else, such as the database, ends it too: what follows needs a
   * slice of its own.
   */
  isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(() => {
        this.#endsAt = performance.now() + sliceMs;
        resolve();
      });
      if (waiting.length === 1) setImmediate(beginNext);
    });
  }
}

/** Like items.map(), in slices. */
export async function mapInSlices<Item, Result>(
  items: Item[],
  each: (item: Item, at: number) => Result,
): Promise<Result[]> {
  const slice = new TimeSlice();
  const results: Result[] = [];
  for (const [at, item] of items.entries()) {
    if (slice.isOver()) await slice.next();
    results.push(each(item, at));
  }
  return results;
}
