import zapier from 'zapier-platform-core';
import { explain } from './answers.js';
import { authentication } from './authentication.js';
import { creates } from './creates.js';
import { dropdowns } from './dropdowns.js';
import packageJson from './package.json' with { type: 'json' };
import { searches, searchOrCreates } from './searches.js';
import { authenticate } from './server.js';
import { triggers } from './triggers.js';

export default {
  version: packageJson.version,
  platformVersion: zapier.version,
  authentication,
  beforeRequest: [authenticate],
  afterResponse: [explain],
  triggers: { ...triggers, ...dropdowns },
  creates,
  searches,
  searchOrCreates,
};
