import type { Db } from '../db/connect.ts';
import { type IdPrefix, parseId } from '../ids.ts';
import { quote } from './cells/readers.ts';
import {
  type By,
  findCharges,
  findLeases,
  findProperties,
  findTenants,
  findUnits,
  type Named,
  type Wanted,
} from './references.store.ts';

export type Found = { id: string; property_id?: string | undefined } | { reason: string };

/** Whether a column holds ids or names. Its texts are tried as these first, and then as the others. */
type Reads = 'ids' | 'names';

const order: Record<Reads, By[]> = {
  ids: ['id', 'key', 'external_id', 'email', 'name'],
  names: ['email', 'name', 'id', 'key', 'external_id'],
};

export interface Request {
  text: string;
  reads: Reads;
  property_id?: string | null;
}

/**
 * A file names the same tenants over and over, so results are remembered. If there are more than these, all are
 * forgotten.
 */
const mostRemembered = 50_000;

type Find = (db: Db, accountId: string, wanted: Wanted[]) => Promise<Named[]>;

/**
 * Finds the records that a file refers to, many in one statement. The results hold for the whole file, because they are
 * records of kinds that the file does not write.
 */
export class References {
  readonly #tx: Db;
  readonly #accountId: string;
  readonly #remembered = new Map<string, Found>();

  constructor(tx: Db, accountId: string) {
    this.#tx = tx;
    this.#accountId = accountId;
  }

  properties(requests: Request[]): Promise<Found[]> {
    return this.#find('property', 'prop', findProperties, requests);
  }

  units(requests: Request[]): Promise<Found[]> {
    return this.#find('unit', 'unit', findUnits, requests);
  }

  tenants(requests: Request[]): Promise<Found[]> {
    return this.#find('tenant', 'ten', findTenants, requests);
  }

  leases(requests: Request[]): Promise<Found[]> {
    return this.#find('lease', 'lease', findLeases, requests);
  }

  charges(requests: Request[]): Promise<Found[]> {
    return this.#find('charge', 'chg', findCharges, requests);
  }

  async #find(noun: string, prefix: IdPrefix, find: Find, requests: Request[]): Promise<Found[]> {
    const keyOf = (request: Request) =>
      JSON.stringify([noun, request.reads, request.text, request.property_id ?? null]);
    const unknown = new Map(
      requests
        .map((request) => [keyOf(request), request] as const)
        .filter(([key]) => !this.#remembered.has(key)),
    );
    if (this.#remembered.size + unknown.size > mostRemembered) {
      this.#remembered.clear();
      for (const request of requests) unknown.set(keyOf(request), request);
    }
    if (unknown.size > 0) {
      const wanted = [...unknown.values()];
      const named = await find(
        this.#tx,
        this.#accountId,
        wanted.map(({ text, property_id }) => ({
          text,
          uuid: parseId(prefix, text),
          property_id: property_id ?? null,
        })),
      );
      const byRequest = Map.groupBy(named, ({ at }) => at);
      [...unknown].forEach(([key, request], at) => {
        this.#remembered.set(key, decide(noun, request, byRequest.get(at) ?? []));
      });
    }
    return requests.map((request) => this.#remembered.get(keyOf(request)) ?? { reason: 'Cannot be found.' });
  }
}

function decide(noun: string, { text, reads }: Request, named: Named[]): Found {
  for (const by of order[reads]) {
    const ids = new Map(named.filter((one) => one.by === by).map((one) => [one.id, one]));
    const [first] = ids.values();
    if (ids.size === 1 && first) return { id: first.id, property_id: first.property_id };
    if (ids.size > 1)
      return {
        reason: `There are ${ids.size} ${plural[noun]} called ${quote(text)}; say which one by ${tellApart[noun]}.`,
      };
  }
  return { reason: `There is no ${noun} ${quote(text)}.` };
}

const plural: Record<string, string> = {
  property: 'properties',
  unit: 'units',
  tenant: 'tenants',
  lease: 'leases',
  charge: 'charges',
};
const tellApart: Record<string, string> = {
  property: 'its external_id',
  unit: 'its property, in a column of its own',
  tenant: 'their e-mail address or external_id',
  lease: 'its id',
  charge: 'its id',
};
