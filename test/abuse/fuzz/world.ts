import type { Pool } from 'undici';
import { unknownId } from '../../support/records.ts';
import { type Ids, idOf, populate } from '../../support/route-driver.ts';
import type { Client, Service } from '../../support/service.ts';
import type { Draft } from './requests.ts';

export interface Sent {
  method: string;
  /** The path with its query. */
  target: string;
  headers: Record<string, string>;
  body: string | null;
}

export interface Given {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Another account besides those of the runs. Whatever they ask, no answer may reveal anything of it. */
export interface Neighbour {
  client: Client;
  ids: Ids;
  /** A text that is in all of its records. */
  marker: string;
}

export async function makeNeighbour(service: Service, hook: string): Promise<Neighbour> {
  const client = await service.client();
  const marker = `of-the-neighbour-${crypto.randomUUID()}`;
  const ids = await populate(client, () => undefined, { url: hook });
  for (const [path, prefix, field] of [
    ['properties', 'prop', 'name'],
    ['units', 'unit', 'name'],
    ['tenants', 'ten', 'notes'],
    ['payments', 'pay', 'memo'],
    ['maintenance', 'mnt', 'title'],
    ['webhooks', 'we', 'description'],
  ] as const) {
    const { status, text } = await client.patch(`/${path}/${idOf(ids, prefix)}`, { [field]: marker });
    if (status !== 200) throw new Error(`The neighbour's ${path} cannot be marked: ${text}`);
  }
  return { client, ids, marker };
}

/** What one run knows: an account of its own, and what it has seen there. */
export class World {
  readonly #pool: Pool;
  readonly #hook: string;
  readonly #keys: Record<Draft['as'], string | null>;
  readonly #neighbour: Neighbour;
  readonly #ids = new Map<string, string[]>();
  readonly #cursors: string[] = [];

  constructor(pool: Pool, hook: string, keys: { writer: string; reader: string }, neighbour: Neighbour) {
    this.#pool = pool;
    this.#hook = hook;
    this.#neighbour = neighbour;
    this.#keys = { ...keys, other: `${keys.writer.slice(0, -1)}!`, nobody: null };
  }

  fill(draft: Draft): Sent {
    const id = this.#resolve(draft.id) as string;
    const query = draft.query
      .map(([name, value]) => [name, String(this.#resolve(value))] as const)
      // There is no next page yet.
      .filter(([name, value]) => name !== 'cursor' || value !== '')
      .map((pair) => pair.map(inUrl).join('='));
    const key = this.#keys[draft.as];
    const { body } = draft;
    return {
      method: draft.method,
      target: `/api/v1${draft.path.replace(/\{(id|external_id)\}/, () => id)}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      headers: { ...draft.headers, ...(key ? { authorization: `Bearer ${key}` } : {}) },
      body:
        body === null ? null : 'raw' in body ? body.raw : (JSON.stringify(this.#resolve(body.json)) ?? ''),
    };
  }

  async send({ method, target, headers, body }: Sent): Promise<Given> {
    const answer = await this.#pool.request({ method: method as 'GET', path: target, headers, body });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  }

  /** Remembers the records and pages that an answer showed. */
  learn({ status, headers, text }: Given): void {
    if (status >= 300 || !String(headers['content-type']).startsWith('application/json') || text === '')
      return;
    for (const record of [JSON.parse(text).data].flat()) {
      if (typeof record?.id !== 'string') continue;
      const prefix = record.id.split('_')[0];
      const known = this.#ids.get(prefix) ?? [];
      if (!known.includes(record.id)) this.#ids.set(prefix, [record.id, ...known].slice(0, 10));
    }
    const cursor = /cursor=([\w-]+)/.exec(String(headers.link ?? ''))?.[1];
    if (cursor) this.#cursors.unshift(cursor);
  }

  /** Replaces notes, wherever they are, by what they stand for. */
  #resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#resolve(each));
    if (typeof value === 'object' && value !== null) {
      const copy = {};
      for (const [name, each] of Object.entries(value))
        Object.defineProperty(copy, name, { value: this.#resolve(each), enumerable: true });
      return copy;
    }
    if (typeof value !== 'string' || !value.startsWith('@')) return value;
    // A filter may have several, separated by commas.
    return value
      .split(',')
      .map((each) => this.#meaning(each))
      .join(',');
  }

  #meaning(note: string): string {
    const [, kind, what = '', at = '0'] = /^@(\w+):(\w*)(?::(\d+))?$/.exec(note) ?? [];
    if (kind === 'hook') return `${this.#hook}/${what}`;
    if (kind === 'cursor') return pick(this.#cursors, Number(what)) ?? '';
    if (kind === 'unknown') return unknownId(what);
    if (kind === 'foreign') return this.#neighbour.ids[what] ?? unknownId(what);
    if (kind === 'own') return pick(this.#ids.get(what) ?? [], Number(at)) ?? unknownId(what);
    return note;
  }
}

const pick = (list: string[], at: number): string | undefined => list[at % Math.max(1, list.length)];

/** Longer texts would only be refused for their length each time. */
const inUrl = (text: string): string => encodeURIComponent(text.slice(0, 3_000).toWellFormed());
