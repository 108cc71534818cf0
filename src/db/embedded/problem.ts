/** The embedded Postgres cannot be used. The message is a sentence for people: what is wrong, what to do. */
export class EmbeddedProblem extends Error {
  override name = 'EmbeddedProblem';
}

/** Another process of ours has the data folder. The message says which, since when, and what to do. */
export class DataFolderHeld extends EmbeddedProblem {
  override name = 'DataFolderHeld';
}
