/** One page of a list. */
export interface Page<Item> {
  data: Item[];
  /** Number of records in `data`. */
  count: number;
  /** Number of records on all pages, if requested (`total: true`). */
  total: number | undefined;
  /** Whether there are more pages. */
  hasMore: boolean;
}

/** Reads the page for a query string. The first page has none. */
export type ReadPage<Item> = (
  search: string | undefined,
) => Promise<{ page: Page<Item>; next: string | undefined }>;

/** A list. `await` gives its first page; `for await` gives every record on every page, read as needed. */
export class List<Item> implements AsyncIterable<Item>, PromiseLike<Page<Item>> {
  readonly #read: ReadPage<Item>;

  constructor(read: ReadPage<Item>) {
    this.#read = read;
  }

  // biome-ignore lint/suspicious/noThenProperty: so that `await` gives the first page
  then<Page1 = Page<Item>, Failure = never>(
    onPage?: ((page: Page<Item>) => Page1 | PromiseLike<Page1>) | null,
    onFailure?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Page1 | Failure> {
    return this.#read(undefined)
      .then(({ page }) => page)
      .then(onPage, onFailure);
  }

  /** Page by page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let search: string | undefined;
    do {
      const { page, next } = await this.#read(search);
      yield page;
      search = next;
    } while (search !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** All records in memory, or `most` of them if the list is long. */
  async toArray(most = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const items: Item[] = [];
    if (most <= 0) return items;
    for await (const item of this) if (items.push(item) >= most) break;
    return items;
  }
}
