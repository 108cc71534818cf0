import packageJson from './package.json' with { type: 'json' };

/** The records of one page of a list, and the whole response for its headers. */
export async function list(z, bundle, path, params) {
  const response = await z.request({ url: apiUrl(z, bundle, path), params });
  return { records: response.data.data, response };
}

/** Sends a request whose answer is a single record, and returns that. */
export async function send(z, bundle, method, path, body, headers = {}) {
  const response = await z.request({ method, url: apiUrl(z, bundle, path), body, headers });
  return response.data.data;
}

export function apiUrl(z, bundle, path) {
  return `${serverAddress(z, bundle)}/api/v1${path}`;
}

/** The address of the connected server, however it was typed: with or without https, a slash, /api/v1. */
export function serverAddress(z, { authData }) {
  const typed = String(authData.base_url ?? '').trim();
  const url = URL.parse(/^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine(url.hostname))) {
    return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/api(\/v1)?$/, '');
  }
  // Over plain http others could read the API key.
  throw new z.errors.Error(
    'The server address must be the https address of your Tenure, such as https://tenure.example.com.',
    'WrongAddress',
  );
}

const isThisMachine = (hostname) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** Sends the key only to the connected server. "Zapier" in the User-Agent marks subscriptions as automation. */
export function authenticate(request, z, bundle) {
  if (!request.url.startsWith(apiUrl(z, bundle, '/'))) return request;
  return {
    ...request,
    headers: {
      ...request.headers,
      authorization: `Bearer ${String(bundle.authData.api_key ?? '').trim()}`,
      'user-agent': `Zapier (${packageJson.name} ${packageJson.version})`,
    },
    // A followed POST would arrive as a GET. answers.js reports where it leads instead.
    redirect: 'manual',
  };
}
