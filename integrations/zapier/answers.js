import generated from './generated.json' with { type: 'json' };

/** Turns every answer that is not a success into an error that a person can act on. */
export function explain(response, z) {
  const { status } = response;
  if (status < 300 && response.data?.data !== undefined) return response;
  if (status < 400) throw new z.errors.Error(elsewhere(response), 'WrongAddress', status);
  if (response.skipThrowForStatus) return response;
  if (status === 401) {
    throw new z.errors.ExpiredAuthError(
      'The API key is unknown, revoked or expired. Make a new one in Tenure under Settings → API keys and reconnect.',
    );
  }
  const message = messageOf(response);
  if (status === 503 && isSafeToRepeat(response.request)) {
    throw new z.errors.ThrottledError(message, Number(response.getHeader('retry-after')) || 60);
  }
  throw new z.errors.Error(message, String(status), status);
}

function elsewhere({ status, getHeader }) {
  const target = status >= 300 ? URL.parse(getHeader('location') ?? '') : null;
  return target
    ? `The server redirects to ${target.origin}. Use that as the server address.`
    : 'There is no Tenure at the server address: the answer is not from its API.';
}

/** The message of the error envelope: a sentence, or the mistakes field by field. */
function messageOf({ status, data, getHeader }) {
  const message = data?.error?.message;
  if (status === 403) return 'This API key may only read. Connect with a key that may write.';
  if (status === 404) return 'Tenure has no such record: it may belong to another account.';
  if (typeof message === 'object' && message !== null) return mistakes(message);
  if (status < 500 && typeof message === 'string') return message;
  const request = getHeader('x-request-id');
  return `The server could not answer (${status}${request ? `, request ${request}` : ''}). Try again later.`;
}

function mistakes({ formErrors = [], fieldErrors = {} }) {
  const fields = Object.entries(fieldErrors).map(
    ([name, said]) => `${labels.get(name) ?? name}: ${said.join(' ')}`,
  );
  return [...formErrors, ...fields].join('\n');
}

/** The labels that people see instead of the API's names. */
const labels = new Map(
  Object.values(generated.inputs)
    .flat()
    .map(({ name, field }) => [name, field.label]),
);

/** A POST may have been carried out anyway. Only an Idempotency-Key makes a repeat harmless. */
function isSafeToRepeat({ method, headers }) {
  return method !== 'POST' || 'idempotency-key' in headers;
}
