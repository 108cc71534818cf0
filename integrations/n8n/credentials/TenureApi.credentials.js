/** Where the Tenure is, and the key that acts there. */
class TenureApi {
  name = 'tenureApi';
  displayName = 'Tenure API';
  icon = 'file:../nodes/Tenure/tenure.svg';
  properties = [
    {
      displayName: 'Server Address',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://tenure.example.com',
      description: 'The address of your Tenure dashboard',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      placeholder: 'svc_live_… or svc_test_…',
      description:
        'Make one in the dashboard under Settings → API keys. The trigger, and whatever changes records, need a key that may write.',
    },
  ];
  authenticate = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey.trim()}}' } },
  };
  test = {
    request: {
      baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/api(\\/v1)?$/, "")}}/api/v1',
      url: '/account',
    },
  };
}

module.exports = { TenureApi };
