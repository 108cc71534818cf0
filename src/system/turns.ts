/** A request goes through the event loop about six times. All of these together must not cost it 50 ms. */
const turnMs = 4;

/** Those waiting for the next turn, in order. */
const waiting: (() => void)[] = [];

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}

/**
 * Does long work in short turns, with everybody else's requests in between. All long work of a process also takes turns
 * among itself: the event loop goes round after each turn, however many are waiting.
 *
 * if (turns.isOver()) await turns.next();
 */
export class Turns {
  #endsAt = 0;

  /**
   * Whether the turn is over. A long wait for something else, such as the database, ends it too: what follows needs a
   * turn of its own.
   */
  isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(() => {
        this.#endsAt = performance.now() + turnMs;
        resolve();
      });
      if (waiting.length === 1) setImmediate(giveTurn);
    });
  }
}

/** Like items.map(), in turns. */
export async function mapInTurns<Item, Result>(
  items: Item[],
  each: (item: Item, at: number) => Result,
): Promise<Result[]> {
  const turns = new Turns();
  const results: Result[] = [];
  for (const [at, item] of items.entries()) {
    if (turns.isOver()) await turns.next();
    results.push(each(item, at));
  }
  return results;
}
