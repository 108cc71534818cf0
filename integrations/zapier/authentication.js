import { list, serverAddress } from './server.js';

export const authentication = {
  type: 'custom',
  fields: [
    {
      key: 'base_url',
      label: 'Server Address',
      type: 'string',
      required: true,
      isNoSecret: true,
      placeholder: 'https://tenure.example.com',
      helpText: 'The address of your Tenure dashboard. It must be reachable from the internet by https.',
    },
    {
      key: 'api_key',
      label: 'API Key',
      type: 'password',
      required: true,
      placeholder: 'svc_live_… or svc_test_…',
      helpText:
        'Make one in the dashboard under Settings → API keys. Triggers and actions need a key that may write; searches work with any.',
    },
  ],
  test,
  connectionLabel: '{{server}} ({{key_prefix}}…)',
};

/** As many characters of a key as the dashboard shows. */
const shownOfKey = 'svc_live_'.length + 6;

/** Any key may list properties. */
async function test(z, bundle) {
  await list(z, bundle, '/properties', { limit: 1 });
  return {
    server: serverAddress(z, bundle).replace(/^https?:\/\//, ''),
    key_prefix: bundle.authData.api_key.trim().slice(0, shownOfKey),
  };
}
