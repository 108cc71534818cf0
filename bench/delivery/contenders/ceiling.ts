/*
 * What the HTTP client alone can do on this machine: undici's `request` in a loop, or tuned, its `dispatch`; bodies and
 * signatures made beforehand, 96 in flight, no database, nothing kept.
 */
import { serve } from '../../lib/child.ts';
import { inFlight, signed, WebhookClient } from '../../peers/webhooks.ts';
import { type Load, makeWebhooks, type Webhook } from '../workload.ts';

let client: WebhookClient;
let isTuned = false;
let queue: [Webhook, string][] = [];

serve({
  setup({ tuned = false }: { tuned?: boolean }) {
    isTuned = tuned;
  },
  enqueue(load: Load) {
    client ??= new WebhookClient(load.base, isTuned);
    queue = makeWebhooks(load).map((webhook) => [webhook, signed(webhook)]);
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
