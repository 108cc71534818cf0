const generated = require('./generated.json');
const { isGenuine } = require('./signature.js');
const { titled } = require('./properties.js');

/** Starts a workflow when something happens: subscribes when it is activated, unsubscribes when it is deactivated. */
class TenureTrigger {
  description = {
    displayName: 'Tenure Trigger',
    name: 'tenureTrigger',
    icon: 'file:tenure.svg',
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow when something happens in Tenure',
    defaults: { name: 'Tenure Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'tenureApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: [],
        options: [
          { name: 'All Events', value: '*', description: 'Those that later versions add, too' },
          ...generated.events
            .map(({ value, description }) => ({
              name: titled(value.replace('.', '_')),
              value,
              description: description.replace(/`/g, ''),
            }))
            .toSorted((a, b) => a.name.localeCompare(b.name)),
        ],
      },
      {
        displayName: 'Skip Own Changes',
        name: 'skipOwn',
        type: 'boolean',
        default: false,
        description:
          'Whether to leave out what this credential itself changes, so that a workflow does not answer itself',
      },
    ],
  };

  webhookMethods = {
    default: {
      /** Whether it still listens to what it should, at the right address. */
      async checkExists() {
        const kept = this.getWorkflowStaticData('node');
        if (!kept.webhookId) return false;
        const { status, data } = await ask(this, 'GET', `/webhooks/${kept.webhookId}`);
        const fits =
          status === 200 &&
          data.status !== 'disabled' &&
          data.url === this.getNodeWebhookUrl('default') &&
          data.events.toSorted().join() === eventsOf(this).join() &&
          data.skip_actors.length > 0 === this.getNodeParameter('skipOwn');
        if (fits) return true;
        await unsubscribe(this, kept);
        return false;
      },

      async create() {
        const { data } = await ask(this, 'POST', '/webhooks', {
          url: this.getNodeWebhookUrl('default'),
          events: eventsOf(this),
          description: `n8n: ${this.getWorkflow().name ?? 'a workflow'}`.slice(0, 1000),
          ...(this.getNodeParameter('skipOwn') ? { skip_actors: ['self'] } : {}),
        });
        Object.assign(this.getWorkflowStaticData('node'), { webhookId: data.id, secret: data.secret });
        return true;
      },

      async delete() {
        await unsubscribe(this, this.getWorkflowStaticData('node'));
        return true;
      },
    },
  };

  async webhook() {
    const request = this.getRequestObject();
    const { secret } = this.getWorkflowStaticData('node');
    if (!request.rawBody) await request.readRawBody?.();
    if (!isGenuine(request.rawBody, this.getHeaderData(), secret, Date.now())) {
      this.getResponseObject().status(401).json({ message: 'The signature is wrong or too old.' });
      return { noWebhookResponse: true };
    }
    const event = this.getBodyData();
    // The dashboard's test button: it arrives, and starts nothing.
    if (event.event === 'webhook.test') return { webhookResponse: 'ok' };
    return { workflowData: [this.helpers.returnJsonArray(event)] };
  }
}

/** In a fixed order; beside `*` no other event adds anything. */
function eventsOf(context) {
  const events = context.getNodeParameter('events');
  return events.includes('*') ? ['*'] : events.toSorted();
}

/** It may have been deleted in the dashboard, which is what we want. */
async function unsubscribe(context, kept) {
  if (kept.webhookId) await ask(context, 'DELETE', `/webhooks/${kept.webhookId}`);
  delete kept.webhookId;
  delete kept.secret;
}

/** The status and the record of an answer. Of refusals only a 404 is an answer. */
async function ask(context, method, path, body) {
  const { baseUrl } = await context.getCredentials('tenureApi');
  const server = baseUrl
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/api(\/v1)?$/, '');
  const { statusCode, body: answer } = await context.helpers.httpRequestWithAuthentication.call(
    context,
    'tenureApi',
    {
      method,
      url: `${server}/api/v1${path}`,
      headers: { 'User-Agent': 'n8n' },
      ...(body ? { body } : {}),
      json: true,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
    },
  );
  if (statusCode >= 400 && statusCode !== 404) throw new Error(messageOf(statusCode, answer));
  return { status: statusCode, data: answer?.data };
}

function messageOf(status, answer) {
  const message = answer?.error?.message;
  if (typeof message === 'string') return `Tenure refused it (${status}): ${message}`;
  return `Tenure refused it (${status}): ${JSON.stringify(message?.fieldErrors ?? answer)}`;
}

module.exports = { TenureTrigger };
