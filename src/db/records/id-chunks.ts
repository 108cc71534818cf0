import { lowestIdAt } from '../../ids.ts';

/** How many records one statement writes events for: about a second's work and a few megabytes. */
const most = 2_000;

/** A part of many records: those with the lowest ids after a given one. */
export interface Chunk {
  after: string;
  most: number;
}

const lowest = lowestIdAt(new Date(0));

/** For what is known to be little. */
export const everything: Chunk = { after: lowest, most: 1_000_000 };

/** Goes through records in the order of their ids, one chunk at a time, so that any number fits into memory. */
export async function eachChunk(
  find: (chunk: Chunk) => Promise<string[]>,
  work: (ids: string[]) => Promise<unknown>,
): Promise<void> {
  let after = lowest;
  for (;;) {
    const ids = await find({ after, most });
    const last = ids.at(-1);
    if (last === undefined) return;
    await work(ids);
    if (ids.length < most) return;
    after = last;
  }
}
