import { tooManyRequests } from '../errors.ts';
import { RateLimit } from '../rate-limit.ts';

/**
 * How often a password may be tried. Only failures count: a good sign-in gives its place back, so an office
 * behind one address is not held up. In this process alone, like the keys' limits.
 */
export class Attempts {
  /** One person from one place: ten wrong passwords, then one every half minute. */
  readonly #here = new RateLimit(1 / 30, 10);
  /**
   * One person from everywhere: slows guessing by many machines. They could keep it used up, so it does not hold for
   * places where the person is known: nobody is shut out by strangers who fail on purpose.
   */
  readonly #person = new RateLimit(1 / 10, 100);
  /** One place, whomever it tries: lists of leaked passwords. */
  readonly #place = new RateLimit(1 / 5, 50);

  /**
   * Takes a place in every line, or throws 429. The returned function gives them back. Whether the person is known to
   * sign in from here is only asked where it matters.
   */
  async begin(
    email: string,
    ip: string,
    now: Date,
    isKnownHere: () => Promise<boolean>,
  ): Promise<() => void> {
    const nowMs = now.getTime();
    const lines: Line[] = [
      [this.#place, ip],
      [this.#here, `${email} ${ip}`],
    ];
    const person: Line = [this.#person, email];
    if (!isUsedUp(person, nowMs) || !(await isKnownHere())) lines.push(person);
    for (const [limit, name] of lines) {
      if (limit.isEmpty(name, nowMs)) throw tooManyRequests(limit.take(name, nowMs).retryAfterSeconds);
    }
    for (const [limit, name] of lines) limit.take(name, nowMs);
    return () => {
      for (const [limit, name] of lines) limit.giveBack(name);
    };
  }
}

type Line = [RateLimit, string];

const isUsedUp = ([limit, name]: Line, nowMs: number): boolean => limit.isEmpty(name, nowMs);

/** Sign-ups of one address: each costs a password hash. */
export class SignUps {
  readonly #limit = new RateLimit(1 / 2, 100);

  begin(ip: string, now: Date): void {
    const taken = this.#limit.take(ip, now.getTime());
    if (!taken.allowed) throw tooManyRequests(taken.retryAfterSeconds);
  }
}
