import { tooManyRequests } from '../errors.ts';
import { RateLimit } from '../rate-limit.ts';

/**
 * Limits how often a password may be tried. Only failures count: a successful sign-in gives its attempt back, so an
 * office behind one address is not held up. Each process has its own limits, as for API keys.
 */
export class Attempts {
  /** One person from one address: ten wrong passwords, then one every 30 seconds. */
  readonly #here = new RateLimit(1 / 30, 10);
  /**
   * One person from all addresses: slows down guessing from many machines. Attackers could keep this limit used up, so
   * it does not apply at addresses where the person is known. Nobody is locked out by strangers who fail on purpose.
   */
  readonly #person = new RateLimit(1 / 10, 100);
  /**
   * One person on one of their own devices, wherever it is. It is counted apart from strangers, so that their failures
   * cannot lock the person out. A thief with the device's cookie gets ten wrong passwords, then one every 30 seconds.
   * Codes of an authenticator app are counted under a name of their own.
   */
  readonly #device = new RateLimit(1 / 30, 10);
  /** One address, whomever it tries: slows down lists of leaked passwords. */
  readonly #address = new RateLimit(1 / 5, 50);

  /**
   * Takes an attempt from every limit, or throws a 429. The returned function gives them back. It asks whether the
   * person is known at this address only if that matters.
   */
  async begin(
    email: string,
    ip: string,
    now: Date,
    isKnownHere: () => Promise<boolean>,
    /** Identifies the device and the person, if the device is known to be that person's. */
    device: string | null = null,
  ): Promise<() => void> {
    const nowMs = now.getTime();
    const limits: Limit[] =
      device === null ? await this.#ofStrangers(email, ip, nowMs, isKnownHere) : [[this.#device, device]];
    for (const [limit, name] of limits) {
      if (limit.isEmpty(name, nowMs)) throw tooManyRequests(limit.take(name, nowMs).retryAfterSeconds);
    }
    for (const [limit, name] of limits) limit.take(name, nowMs);
    return () => {
      for (const [limit, name] of limits) limit.giveBack(name);
    };
  }

  /** Like begin(), for sign-ins through an issuer. The person is not known yet, so only the address counts. */
  beginAt(ip: string, now: Date): () => void {
    const taken = this.#address.take(ip, now.getTime());
    if (!taken.allowed) throw tooManyRequests(taken.retryAfterSeconds);
    return () => this.#address.giveBack(ip);
  }

  async #ofStrangers(
    email: string,
    ip: string,
    nowMs: number,
    isKnownHere: () => Promise<boolean>,
  ): Promise<Limit[]> {
    const person: Limit = [this.#person, email];
    const applies = !isUsedUp(person, nowMs) || !(await isKnownHere());
    return [[this.#address, ip], [this.#here, `${email} ${ip}`], ...(applies ? [person] : [])];
  }
}

type Limit = [RateLimit, string];

const isUsedUp = ([limit, name]: Limit, nowMs: number): boolean => limit.isEmpty(name, nowMs);

/** Limits the sign-ups of one address: each costs a password hash. */
export class SignUps {
  readonly #limit = new RateLimit(1 / 2, 100);

  begin(ip: string, now: Date): void {
    const taken = this.#limit.take(ip, now.getTime());
    if (!taken.allowed) throw tooManyRequests(taken.retryAfterSeconds);
  }
}
