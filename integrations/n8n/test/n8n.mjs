import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Where n8n keeps its settings: nothing of the person who runs the tests.
const folder = mkdtempSync(join(tmpdir(), 'tenure-n8n-'));
process.env.N8N_USER_FOLDER = folder;
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const require = createRequire(import.meta.url);
const { ExecuteContext, HookContext, RoutingNode, WebhookContext } = require('n8n-core');
const { NodeHelpers, Workflow } = require('n8n-workflow');
const { TenureApi } = require('../credentials/TenureApi.credentials.js');
const { Tenure } = require('../nodes/Tenure/Tenure.node.js');
const { TenureTrigger } = require('../nodes/Tenure/TenureTrigger.node.js');

/* The parts of n8n that run a node, as its server puts them together. Only credentials are handed over directly. */

const types = { tenure: new Tenure(), tenureTrigger: new TenureTrigger() };

/** What a node's properties become in the editor: defaults filled in, what is not shown left out. */
function workflowWith(type, parameters) {
  const { description } = types[type];
  const node = {
    id: '1',
    name: 'Tenure',
    type,
    typeVersion: 1,
    position: [0, 0],
    webhookId: 'f3a1',
    credentials: { tenureApi: { id: '1', name: 'Tenure' } },
    parameters,
  };
  node.parameters = NodeHelpers.getNodeParameters(
    description.properties,
    parameters,
    true,
    false,
    node,
    description,
  );
  const nodeTypes = {
    getByName: (name) => types[name],
    getByNameAndVersion: (name) => types[name],
    getKnownTypes: () => ({}),
  };
  const workflow = new Workflow({
    id: '1',
    name: 'My flow',
    nodes: [node],
    connections: {},
    active: true,
    nodeTypes,
  });
  return { workflow, node };
}

function additionalData(credentials, more = {}) {
  const { authenticate } = new TenureApi();
  return {
    credentialsHelper: {
      getDecrypted: async () => credentials,
      getParentTypes: () => [],
      preAuthentication: async () => undefined,
      isCredentialUsableByNode: () => true,
      getCredentialsProperties: () => new TenureApi().properties,
      authenticate: async (decrypted, _type, request, workflow, node) => {
        const headers = resolved(workflow, node, authenticate.properties.headers, decrypted);
        return { ...request, headers: { ...request.headers, ...headers } };
      },
    },
    webhookBaseUrl: 'http://127.0.0.1/webhook',
    webhookTestBaseUrl: 'http://127.0.0.1/webhook-test',
    currentNodeParameters: {},
    ...more,
  };
}

/** An expression of the credential, as n8n works it out. */
function resolved(workflow, node, value, credentials) {
  return workflow.expression.getComplexParameterValue(node, value, 'manual', { $credentials: credentials });
}

/** The value of an expression of the credential. */
export function ofCredential(value, credentials) {
  const { workflow, node } = workflowWith('tenure', {});
  return resolved(workflow, node, value, credentials);
}

/** Runs the node on one item, and returns the records that come out. */
export async function run(credentials, parameters) {
  const { workflow, node } = workflowWith('tenure', parameters);
  const items = [{ json: {} }];
  const executeData = { node, data: { main: [items] }, source: null };
  const runData = { resultData: { runData: {} } };
  const context = new ExecuteContext(
    workflow,
    node,
    additionalData(credentials),
    'manual',
    runData,
    0,
    items,
    { main: [items] },
    executeData,
    [],
  );
  const [output] = await new RoutingNode(context, types.tenure).runNode();
  return output.map(({ json }) => json);
}

/** A trigger as n8n activates, calls and deactivates it. */
export function trigger(credentials, parameters, webhookBaseUrl) {
  const { workflow, node } = workflowWith('tenureTrigger', parameters);
  const { webhookMethods, webhook } = types.tenureTrigger;
  const hook = () =>
    new HookContext(workflow, node, additionalData(credentials, { webhookBaseUrl }), 'trigger', 'activate', {
      webhookDescription: types.tenureTrigger.description.webhooks[0],
    });
  return {
    url: () => hook().getNodeWebhookUrl('default'),
    checkExists: () => webhookMethods.default.checkExists.call(hook()),
    create: () => webhookMethods.default.create.call(hook()),
    delete: () => webhookMethods.default.delete.call(hook()),
    kept: () => hook().getWorkflowStaticData('node'),
    receive: (httpRequest, httpResponse) =>
      webhook.call(
        new WebhookContext(
          workflow,
          node,
          additionalData(credentials, { webhookBaseUrl, httpRequest, httpResponse }),
          'webhook',
          { webhookDescription: types.tenureTrigger.description.webhooks[0] },
          [],
          null,
        ),
      ),
  };
}
