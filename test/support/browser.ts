import type { Answer, Service } from './service.ts';

/** Sends requests to the dashboard's routes as a page in a browser would: with its cookies, and with its origin. */
export interface Browser {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The Cookie header that it would send. */
  cookies(): string;
  /** The Cookie header for a route that has cookies of its own. */
  cookiesTo(path: string): string;
}

export const internal = '/internal/v1';

export function openBrowser(service: Pick<Service, 'url' | 'request'>): Browser {
  const jar = new Map<string, { value: string; path: string }>();
  /** The cookies that are sent to a path. Without a path, those that are sent to every path. */
  const cookies = (to = '/') =>
    [...jar]
      .filter(([, { path }]) => to.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');

  const keep = (setCookie: string) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
    if (/;\s*max-age=0(;|$)/i.test(setCookie)) jar.delete(name);
    else jar.set(name, { value, path: /;\s*path=([^;]*)/i.exec(setCookie)?.[1] ?? '/' });
  };

  const request: Browser['request'] = async (method, path, body, headers = {}) => {
    const cookie = cookies(internal + path);
    const answer = await service.request(method, `${service.url}${internal}${path}`, {
      body,
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(method === 'GET' ? {} : { origin: service.url }),
        ...headers,
      },
    });
    for (const cookie of answer.headers.getSetCookie()) keep(cookie);
    return answer;
  };

  return {
    get: (path, headers) => request('GET', path, undefined, headers),
    post: (path, body, headers) => request('POST', path, body, headers),
    put: (path, body, headers) => request('PUT', path, body, headers),
    patch: (path, body, headers) => request('PATCH', path, body, headers),
    delete: (path, headers) => request('DELETE', path, undefined, headers),
    request,
    cookies: () => cookies(),
    cookiesTo: (path) => cookies(internal + path),
  };
}

let people = 0;
export const password = 'correct horse battery';

export interface Person extends Browser {
  name: string;
  email: string;
}

/** A new person with an account of their own, signed in. The service must have SIGN_UP=open. */
export async function signUp(
  service: Pick<Service, 'url' | 'request'>,
  more: Record<string, unknown> = {},
): Promise<Person> {
  const name = `Person ${++people}`;
  const email = String(more.email ?? `person-${people}-${process.hrtime.bigint()}@example.com`);
  const browser = openBrowser(service);
  const answer = await browser.post('/sign-up', { name, email, password, ...more });
  if (answer.status !== 201) throw new Error(`Sign-up answered ${answer.status}: ${answer.text}`);
  return { ...browser, name, email };
}

/** A new person who joined the account of `owner` through an invitation. */
export async function signUpAs(
  service: Pick<Service, 'url' | 'request'>,
  owner: Browser,
  role: 'owner' | 'manager' | 'viewer',
): Promise<Person> {
  const email = `${role}-${++people}-${process.hrtime.bigint()}@example.com`;
  const { body } = await owner.post('/team/invitations', { email, role });
  return signUp(service, { email, invitation: tokenOf(body.data.link) });
}

export const tokenOf = (link: string): string => link.split('/').at(-1) ?? '';
