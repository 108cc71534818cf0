import { type Methods, operations } from './api.ts';
import { List, type Page } from './list.ts';
import type { Options, OptionsWithQuery, TenureOptions } from './options.ts';
import { type Call, type QueryValue, send } from './send.ts';

export interface Requests {
  /**
   * Any request, with the client's key, retries and errors. For CSV and other forms of an answer (`request('GET',
   * '/payments', { query: { format: 'csv' } })`), and for files, whose body is a Blob, a FormData or bytes
   * (`request('POST', '/files', { query: { record, name }, body: photo })`).
   */
  request(
    method: string,
    path: string,
    options?: OptionsWithQuery<Record<string, QueryValue>> & { body?: unknown },
  ): Promise<Response>;
}

/** Tenure's API: a method for every operation, named as in the API reference. */
export type Tenure = Methods & Requests;

export const Tenure = class implements Requests {
  readonly #settings: TenureOptions;

  constructor(settings: TenureOptions) {
    if (!settings.apiKey) throw new TypeError('Tenure needs an apiKey.');
    this.#settings = { ...settings, baseUrl: apiUrl(settings.baseUrl) };
    const methods = Object.entries(operations).map(([name, operation]) => [
      name,
      (...inputs: unknown[]) => this.#call(name, operation, inputs),
    ]);
    Object.assign(this, Object.fromEntries(methods));
  }

  request: Requests['request'] = (method, path, { query, body, ...options } = {}) =>
    send(this.#settings, { method, path, query, body, options, read: async (response) => response });

  /** The inputs are the path's parameters, then a body or a query, then options. */
  #call(name: string, [method, path, takes, answers]: (typeof operations)[keyof Methods], inputs: unknown[]) {
    const left = [...inputs];
    const filled = path.replace(/\{(\w+)\}/g, (_, part: string) => {
      const value = left.shift();
      // Without an id, the path would be that of the list.
      if (typeof value !== 'string' || value === '') throw new TypeError(`${name} needs ${part} as text.`);
      return encodeURIComponent(value);
    });
    const input = takes === 'nothing' ? undefined : left.shift();
    const { query, ...options } = (left.shift() ?? {}) as OptionsWithQuery<Record<string, QueryValue>>;
    const call = {
      method,
      path: filled,
      query: takes === 'query' ? (input as Record<string, QueryValue>) : query,
      body: takes === 'body' ? (input ?? {}) : undefined,
      options,
    };
    return answers === 'list' ? this.#list(call) : this.#one(call, answers);
  }

  async #one(call: Omit<Call<unknown>, 'read'>, answers: 'data' | 'body'): Promise<unknown> {
    const body = await send(this.#settings, {
      ...call,
      read: async (response) => JSON.parse(await response.text()),
    });
    return answers === 'data' ? body.data : body;
  }

  #list(call: Omit<Call<unknown>, 'read'>): List<unknown> {
    return new List((search) =>
      send(this.#settings, {
        ...call,
        search,
        read: async (response) => {
          const { data, count } = JSON.parse(await response.text()) as Page<unknown>;
          const next = nextPage(response.headers.get('link'));
          const total = response.headers.get('x-total-count');
          const page = {
            data,
            count,
            total: total === null ? undefined : Number(total),
            hasMore: next !== undefined,
          };
          return { page, next };
        },
      }),
    );
  }
} as unknown as new (
  settings: TenureOptions,
) => Tenure;

/** The query of the next page. Its host is ignored: the key goes only to the host that was set. */
function nextPage(link: string | null): string | undefined {
  const address = link === null ? undefined : /<([^>]*)>\s*;\s*rel="?next"?/.exec(link)?.[1];
  return address === undefined ? undefined : new URL(address, 'http://localhost').search;
}

const apiUrl = (baseUrl: string): string => `${baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`;

export type { Options, OptionsWithQuery, TenureOptions };
