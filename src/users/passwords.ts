import { availableParallelism } from 'node:os';
import { overloaded } from '../errors.ts';

/** A hash takes 32 MB, and a core for a tenth of a second or more. More at once would not finish any sooner. */
const mostAtOnce = Math.max(2, availableParallelism());
/** Some seconds of work. Further callers are told to come back later. */
const mostWaiting = 100;
const comeBackSeconds = 5;

const waiting: (() => void)[] = [];
let underWay = 0;

export const hashPassword = (password: string): Promise<string> =>
  inTurn(async () => (await loadCrypto()).hashPassword(password));

export const verifyPassword = (attempt: { hash: string; password: string }): Promise<boolean> =>
  inTurn(async () => (await loadCrypto()).verifyPassword(attempt));

/** It loads a hundred modules, and most commands hash nothing. */
const loadCrypto = () => import('better-auth/crypto');

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (underWay < mostAtOnce) underWay++;
  else if (waiting.length < mostWaiting) await new Promise<void>((resolve) => waiting.push(resolve));
  else throw overloaded(comeBackSeconds);
  try {
    return await work();
  } finally {
    // The slot passes to the next caller in the queue, or becomes free.
    const next = waiting.shift();
    if (next) next();
    else underWay--;
  }
}
