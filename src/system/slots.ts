/** Counts what is running in this process, in total and for each account. */
export class Slots {
  readonly #taken = new Map<string, number>();

  all(): number {
    return [...this.#taken.values()].reduce((sum, count) => sum + count, 0);
  }

  of(accountId: string): number {
    return this.#taken.get(accountId) ?? 0;
  }

  /** Takes slots. The returned function gives them back. */
  take(accountId: string, count = 1): () => void {
    this.#taken.set(accountId, this.of(accountId) + count);
    return () => {
      const left = this.of(accountId) - count;
      if (left <= 0) this.#taken.delete(accountId);
      else this.#taken.set(accountId, left);
    };
  }
}
