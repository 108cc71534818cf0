const { properties } = require('./properties.js');

/** Reads and writes the records of a Tenure. All of it is declared: n8n itself makes the requests. */
class Tenure {
  description = {
    displayName: 'Tenure',
    name: 'tenure',
    icon: 'file:tenure.svg',
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Read and write properties, tenants, leases, payments and more',
    defaults: { name: 'Tenure' },
    usableAsTool: true,
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'tenureApi', required: true }],
    requestDefaults: {
      baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/api(\\/v1)?$/, "")}}/api/v1',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', 'User-Agent': 'n8n' },
    },
    properties: properties(),
  };
}

module.exports = { Tenure };
