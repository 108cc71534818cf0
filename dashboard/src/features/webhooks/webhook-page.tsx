import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { KeyRound, Pencil, Power, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { patch, remove } from '../../api/client.ts';
import type { DeliveryWithAttempts, StoredWebhook, WebhookWithSecret } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { post, saved, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { Ago } from '../../ui/date.tsx';
import { useFilters } from '../../ui/lists/filters.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Page } from '../../ui/page.tsx';
import { Details, type Fact } from '../../ui/records/facts.tsx';
import { usePathId } from '../../ui/records/record-page.tsx';
import { Problem, Skeleton } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { webhookStatus } from '../../ui/words.ts';
import { Timeline } from '../history/timeline.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { webhook } from './webhook-queries.ts';

export function WebhookPage() {
  const id = usePathId();
  const { data, error, refetch } = useQuery(webhook(id));
  const log = useFilters(['delivery', 'status']);
  const test = useAction(async () => {
    const delivery = await saved(post<DeliveryWithAttempts>(`/webhooks/${id}/test`));
    tell(delivery);
    await log.set({ delivery: delivery.id, status: undefined });
  });
  if (!data) {
    return (
      <Page title="Endpoint" back="/settings/webhooks">
        {error ? <Problem error={error} onRetry={refetch} /> : <Skeleton count={10} />}
      </Page>
    );
  }
  return (
    <Page
      title={data.url}
      about={
        <>
          <Status of={webhookStatus[data.status]} />
          {data.disabled_reason && <span> · {reasons[data.disabled_reason]}</span>}
        </>
      }
      back="/settings/webhooks"
      actions={<Actions webhook={data} onTest={() => test.run()} isTesting={test.isBusy} />}
    >
      <div className="flex flex-col gap-8">
        <Details columns={2} of={factsOf(data)} />
        <DeliveryLog webhook={data} isTesting={test.isBusy} />
        <Timeline path={`/webhooks/${data.id}`} />
      </div>
    </Page>
  );
}

const reasons: Record<NonNullable<StoredWebhook['disabled_reason']>, string> = {
  gone: 'it answered 410 Gone',
  owner: 'disabled by hand',
  failures: 'every delivery failed for 5 days',
};

const factsOf = (data: StoredWebhook): Fact[] => [
  ['Description', data.description],
  ['Last success', <Ago key="success" at={data.last_success_at} />],
  ['Created by', data.source === 'automation' ? 'An automation' : 'API or dashboard'],
  ['Last failure', <Ago key="failure" at={data.last_error_at} />],
  [
    'Events',
    data.events.includes('*') ? 'All, including those that later versions add' : data.events.join(', '),
  ],
  ['Failed attempts', `${data.failure_count} since the last success`],
];

function tell(delivery: DeliveryWithAttempts): void {
  const attempt = delivery.attempts.at(-1);
  if (delivery.status === 'succeeded') {
    toast.success(`Test event delivered: ${attempt?.response?.status} in ${attempt?.duration_ms} ms`);
  } else if (delivery.status === 'pending') {
    toast.info('The test event is on its way. The log below will show its outcome.');
  } else {
    toast.error(`The test event failed. ${delivery.last_error ?? ''}`);
  }
}

function Actions({
  webhook: data,
  onTest,
  isTesting,
}: {
  webhook: StoredWebhook;
  onTest: () => void;
  isTesting: boolean;
}) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'delete' | 'rotate' | null>(null);
  const [rotated, setRotated] = useState<WebhookWithSecret | null>(null);
  const path = `/webhooks/${data.id}`;
  const isOff = data.status === 'disabled';
  const flip = useAction(() =>
    saved(
      patch(path, { status: isOff ? 'active' : 'disabled' }),
      isOff ? 'Endpoint enabled' : 'Endpoint disabled',
    ),
  );
  if (!useCanWrite()) return null;
  return (
    <>
      <Button kind="danger" icon={<Trash2 />} onClick={() => setAsking('delete')}>
        Delete
      </Button>
      <Button icon={<Power />} onClick={() => flip.run()} isBusy={flip.isBusy}>
        {isOff ? 'Enable' : 'Disable'}
      </Button>
      <Button icon={<KeyRound />} onClick={() => setAsking('rotate')}>
        Rotate secret
      </Button>
      <Button icon={<Pencil />} onClick={() => navigate({ to: `/settings/webhooks/${data.id}/edit` })}>
        Edit
      </Button>
      <Button kind="main" icon={<Send />} onClick={onTest} isBusy={isTesting}>
        Send test event
      </Button>
      {asking === 'delete' && (
        <Confirm
          title="Delete this endpoint?"
          action="Delete"
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await remove(path);
            // Leaves first, because this page must not refetch what is gone.
            await navigate({ to: '/settings/webhooks' });
            await saved(Promise.resolve(), 'Endpoint deleted');
          }}
        >
          Nothing more is sent to {data.url}, and pending deliveries are cancelled. This cannot be undone.
        </Confirm>
      )}
      {asking === 'rotate' && (
        <Confirm
          title="Rotate the secret?"
          action="Rotate secret"
          onClose={() => setAsking(null)}
          onConfirm={async () =>
            setRotated(await saved(post<WebhookWithSecret>(`${path}/rotate-secret`), 'Secret rotated'))
          }
        >
          You get a new secret. For 24 hours deliveries are signed with both, so that your receiver has time
          to switch.
        </Confirm>
      )}
      {rotated && (
        <SecretDialog title="New secret" secret={rotated.secret} onClose={() => setRotated(null)} />
      )}
    </>
  );
}
