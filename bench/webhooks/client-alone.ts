/*
 * What the HTTP client alone can do on this machine: undici's `request` in a loop, bodies and signatures made
 * beforehand, 96 in flight, no database, nothing recorded.
 */
import { serve } from '../lib/child.ts';
import { inFlight, signatureOf, WebhookClient } from './client.ts';
import type { Given } from './peer.ts';
import { type Load, makeWebhooks, type Webhook } from './workload.ts';

let client: WebhookClient;
let queue: [Webhook, string][] = [];

serve({
  setup({ base }: Given) {
    client = new WebhookClient(base);
  },
  enqueue(load: Load) {
    queue = makeWebhooks(load).map((webhook) => [webhook, signatureOf(webhook)]);
  },
  go() {
    let next = 0;
    const one = async () => {
      for (let job = queue[next++]; job; job = queue[next++]) await client.sendSigned(...job);
    };
    for (let slot = 0; slot < inFlight; slot++) void one();
  },
  halt() {},
});
