/*
 * The account that asks twenty things at once, in a thread of its own: in the thread that times the quiet account's
 * requests, both would wait for the client.
 */
import { workerData } from 'node:worker_threads';

export interface Busy {
  url: string;
  key: string;
  atOnce: number;
}

const { url, key, atOnce } = workerData as Busy;
const headers = { authorization: `Bearer ${key}` };
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (;;) await (await fetch(url, { headers })).arrayBuffer();
  }),
);
