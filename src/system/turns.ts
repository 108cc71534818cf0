/** A request passes the event loop about six times. All of them together must not cost it 50 ms. */
const turnMs = 4;

/** Those waiting for the next turn, in order. */
const waiting: (() => void)[] = [];

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}

/**
 * Long work in short turns, with everybody else's requests in between. All long work of a process takes turns with each
 * other too: the event loop comes round after one of them, however many there are.
 *
 *   if (turns.isOver()) await turns.next();
 */
export class Turns {
  #endsAt = 0;

  /** Also after any other wait, such as for the database: what follows is a new turn. */
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
