import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DeliveryAttempt, DeliveryWithAttempts, StoredWebhook } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { post, saved, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { formatAgo, formatSecond } from '../../ui/date.tsx';
import { useFilters } from '../../ui/lists/filters.tsx';
import { Facts } from '../../ui/records/facts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { deliveryStatus } from '../../ui/words.ts';
import { delivery as deliveryQuery } from './webhook-queries.ts';

export function DeliveryDetail({ id, webhook }: { id: string; webhook: StoredWebhook }) {
  return (
    <Loaded query={useQuery(deliveryQuery(id))}>
      {(delivery) => (
        <article aria-label="Delivery" className="min-w-0">
          <header className="mb-3 flex flex-wrap items-center justify-between gap-2">
            <h3 className="font-semibold">{delivery.event}</h3>
            <Redeliver delivery={delivery} isOff={webhook.status === 'disabled'} />
          </header>
          <Facts
            of={[
              ['Status', <Status key="status" of={deliveryStatus[delivery.status]} />],
              ['Next attempt', nextAttempt(delivery)],
              ['Sent', formatSecond(delivery.created_at)],
              ['Delivery', <Code key="id">{delivery.id}</Code>],
              ['Event', <Code key="event">{delivery.event_id}</Code>],
            ]}
          />
          <h4 className="mt-5 mb-1 font-medium">Attempts</h4>
          {delivery.attempts.length === 0 && <p className="text-soft">None yet.</p>}
          <ol className="border-t border-line">
            {delivery.attempts.map((attempt, index) => (
              <li key={attempt.attempt} className="border-b border-line">
                <Attempt attempt={attempt} isOpen={index === delivery.attempts.length - 1} />
              </li>
            ))}
          </ol>
        </article>
      )}
    </Loaded>
  );
}

const Code = ({ children }: { children: string }) => <code className="font-mono text-sm">{children}</code>;

function nextAttempt(delivery: DeliveryWithAttempts): string | null {
  if (delivery.status !== 'pending') return null;
  return delivery.next_attempt_at ? formatAgo(delivery.next_attempt_at) : 'Under way';
}

function Redeliver({ delivery, isOff }: { delivery: DeliveryWithAttempts; isOff: boolean }) {
  const log = useFilters(['delivery']);
  const { run, isBusy } = useAction(async () => {
    const again = await saved(
      post<DeliveryWithAttempts>(`/deliveries/${delivery.id}/redeliver`),
      'Sent again',
    );
    await log.set({ delivery: again.id });
  });
  if (!useCanWrite() || isOff || delivery.status === 'pending') return null;
  return (
    <Button icon={<RotateCw />} onClick={() => run()} isBusy={isBusy}>
      Redeliver
    </Button>
  );
}

const outcomes: Record<string, string> = {
  success: 'Delivered',
  gone: 'Gone',
  throttled: 'Asked to slow down',
  redirect: 'Redirected',
  http_error: 'Refused',
  bad_response: 'Not valid HTTP',
  timeout: 'No answer in time',
  connect_timeout: 'Connection timed out',
  dns: 'Name not found',
  refused: 'Connection refused',
  unreachable: 'Unreachable',
  tls: 'TLS failed',
  reset: 'Connection reset',
  blocked: 'Address not allowed',
  interrupted: 'Interrupted',
};

function Attempt({ attempt, isOpen }: { attempt: DeliveryAttempt; isOpen: boolean }) {
  const { request, response } = attempt;
  const isGood = attempt.outcome === 'success';
  return (
    <details open={isOpen} className="group">
      <summary className="flex flex-wrap items-center gap-x-4 py-2.5 hover:bg-hover">
        <span className="w-6 text-soft">{attempt.attempt}.</span>
        <Status of={{ word: outcomes[attempt.outcome] ?? attempt.outcome, tone: isGood ? 'good' : 'bad' }} />
        {response && <span>{response.status}</span>}
        {attempt.duration_ms !== null && (
          <span className="text-soft">{attempt.duration_ms.toLocaleString()} ms</span>
        )}
        <span className="ml-auto text-sm text-soft">{formatSecond(attempt.started_at)}</span>
      </summary>
      <div className="flex flex-col gap-3 pb-4">
        {attempt.error && <p className="text-bad">{attempt.error}</p>}
        {request && (
          <Message title="Request" headers={request.headers} body={request.body}>
            Also sent, but not stored: Host, Content-Length and User-Agent (Tenure/ and its version at the
            time).
          </Message>
        )}
        {response && <Message title="Response" headers={response.headers} body={response.body} />}
      </div>
    </details>
  );
}

function Message({
  title,
  headers,
  body,
  children,
}: {
  title: string;
  headers: Record<string, string>;
  body: string | null;
  /** A note below the message. */
  children?: ReactNode;
}) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div>
      <h5 className="mb-1 text-sm font-medium text-soft">{title}</h5>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable text must be reachable by keyboard
        tabIndex={0}
        className="max-h-80 overflow-auto rounded-md border border-line bg-side px-3 py-2 font-mono text-xs leading-5 break-all whitespace-pre-wrap"
      >
        {lines.join('\n')}
        {lines.length > 0 && body ? '\n\n' : ''}
        {body && pretty(body)}
        {lines.length === 0 && !body && 'Empty'}
      </pre>
      {children && <p className="mt-1 text-sm text-soft">{children}</p>}
    </div>
  );
}

/** Indents JSON; leaves everything else as it is. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
