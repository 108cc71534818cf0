import type { APIRequestContext } from '@playwright/test';

export interface Person {
  email: string;
  password: string;
  name: string;
  accountId: string;
  request: APIRequestContext;
  /** Sends a request as the page would. Any answer but success is an error. */
  get<Data>(path: string): Promise<Data>;
  post<Data>(path: string, body?: unknown): Promise<Data>;
  patch<Data>(path: string, body: unknown): Promise<Data>;
  /** Does the same without judging the answer. */
  try(method: string, path: string, body?: unknown): Promise<number>;
}

let people = 0;
export const newEmail = () => `person-${process.pid}-${++people}@example.com`;
export const password = 'correct horse battery';

/** A new person with an account of their own or, with an invitation, in somebody else's. */
export async function signUp(
  request: APIRequestContext,
  url: string,
  {
    email = newEmail(),
    name = 'Olivia Owner',
    invitation,
  }: { email?: string; name?: string; invitation?: string } = {},
): Promise<Person> {
  const person = asPerson(request, url, { email, name });
  const body = { name, email, password, account_name: `${name}'s houses`, invitation };
  const session = await person.post<{ account: { id: string } }>('/sign-up', body);
  return { ...person, accountId: session.account.id };
}

function asPerson(
  request: APIRequestContext,
  url: string,
  { email, name }: { email: string; name: string },
): Person {
  const send = (method: string, path: string, body?: unknown) =>
    request.fetch(`${url}/internal/v1${path}`, {
      method,
      headers: { origin: url, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { data: JSON.stringify(body) }),
    });
  const dataOf = async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
    const response = await send(method, path, body);
    if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
    return ((await response.json()) as { data: Data }).data;
  };
  return {
    email,
    password,
    name,
    accountId: '',
    request,
    get: (path) => dataOf('GET', path),
    post: (path, body = {}) => dataOf('POST', path, body),
    patch: (path, body) => dataOf('PATCH', path, body),
    try: async (method, path, body) => (await send(method, path, body)).status(),
  };
}

/** The token at the end of an invitation's link. */
export const tokenOf = (link: string): string => link.split('/').at(-1) ?? '';
