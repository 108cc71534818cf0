import { explain } from './answers.js';
import generated from './generated.json' with { type: 'json' };
import { apiUrl, list, send } from './server.js';

/** Off unless it is chosen: a Zap may well be meant to follow up on what another Zap did. */
const skipOwn = {
  key: 'skip_own',
  label: 'Skip Changes by Zapier',
  type: 'boolean',
  required: false,
  default: 'false',
  helpText: 'Does not trigger on what this connection itself changes, so that a Zap does not answer itself.',
};

/** An instant trigger for every event: Tenure calls the Zap's own address when it happens. */
export const triggers = Object.fromEntries(generated.triggers.map((each) => [each.key, hookTrigger(each)]));

function hookTrigger({ key, event, record, noun, label, description, sample }) {
  return {
    key,
    noun,
    display: { label, description },
    operation: {
      type: 'hook',
      inputFields: [skipOwn],
      performSubscribe: (z, bundle) => subscribe(z, bundle, event, label),
      performUnsubscribe: unsubscribe,
      perform: (_z, bundle) => recordsIn(bundle.cleanedRequest, event, record),
      performList: (z, bundle) => samples(z, bundle, event, generated.records[record].path),
      outputFields: generated.records[record].fields,
      sample,
    },
  };
}

/** The platform keeps what we return until it unsubscribes, so we do not return the signing secret. */
async function subscribe(z, bundle, event, label) {
  const subscription = {
    url: bundle.targetUrl,
    events: [event],
    description: `Zapier: ${label}`,
    ...(isOn(bundle.inputData?.skip_own) ? { skip_actors: ['self'] } : {}),
  };
  const { id } = await send(z, bundle, 'POST', '/webhooks', subscription);
  return { id };
}

/** Fields of the editor may come as text. */
const isOn = (value) => value === true || value === 'true';

async function unsubscribe(z, bundle) {
  const { id } = bundle.subscribeData;
  const response = await z.request({
    method: 'DELETE',
    url: apiUrl(z, bundle, `/webhooks/${id}`),
    skipThrowForStatus: true,
  });
  // It was already deleted in the dashboard, which is what we want.
  if (response.status !== 404) explain({ ...response, skipThrowForStatus: false }, z);
  return { id };
}

/**
 * Only events that were subscribed to: the dashboard's test button sends `webhook.test`, and the CLI sends nothing at
 * all.
 */
function recordsIn(envelope, event, record) {
  return envelope?.event === event ? [envelope.data[record]] : [];
}

/** Which records could have come with the event: all of them, unless it says more than "new" or "changed". */
const looksLike = {
  'lease.started': { filter: { status: 'active,notice,ended' } },
  'lease.expiring': { filter: { status: 'active' }, keep: (lease) => lease.end_date !== null },
  'lease.ended': { keep: (lease) => lease.ended_on !== null },
  'charge.updated': { filter: { status: 'voided' } },
  'charge.due': { filter: { status: 'open,partial' } },
  'charge.overdue': { filter: { overdue: 'true' } },
  'credit.updated': { keep: (credit) => credit.voided_on !== null },
  'maintenance_request.completed': { filter: { status: 'completed' } },
};

/** For the editor: real records, those with the latest event first. */
async function samples(z, bundle, event, path) {
  const { filter = {}, keep = () => true } = looksLike[event] ?? {};
  const { records } = await list(z, bundle, path, { limit: 100, ...filter });
  const moment = event.endsWith('.created') ? 'created_at' : 'updated_at';
  return records
    .filter(keep)
    .sort((a, b) => b[moment].localeCompare(a[moment]))
    .slice(0, 10);
}
