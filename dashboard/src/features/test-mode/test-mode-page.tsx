import { useState } from 'react';
import { isTestMode } from '../../api/client.ts';
import { startAfresh, useCanWrite } from '../../api/session.ts';
import { post } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { linkClass } from '../../ui/lists/names.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { enterMode } from './test-band.tsx';

/** What test mode is, how to enter and leave it, and emptying it. */
export function TestModePage() {
  const isTest = isTestMode();
  return (
    <Page title="Test mode" width="form">
      <div className="flex flex-col gap-10">
        <div className="flex flex-col items-start gap-4">
          <p className="text-soft">
            Try things out without touching your real records. Test mode has its own properties, tenants and
            leases, its own API keys and webhooks, and a clock that you can move: see a year of rent in a
            minute. Webhooks are signed and sent as always. See{' '}
            <a href="/docs/guides/test-mode" target="_blank" rel="noopener" className={linkClass}>
              the guide
            </a>
            .
          </p>
          {isTest ? (
            <Button onClick={() => enterMode('live')}>Leave test mode</Button>
          ) : (
            <Button kind="main" onClick={() => enterMode('test')}>
              Open test mode
            </Button>
          )}
        </div>
        {isTest && <Reset />}
      </div>
    </Page>
  );
}

function Reset() {
  const [isAsking, setAsking] = useState<'empty' | 'demo' | null>(null);
  if (!useCanWrite()) return null;
  return (
    <Section title="Start over">
      <p className="mb-3 text-soft">
        Deletes all records, events and webhooks of test mode, resets its settings, such as the late fees, and
        sets its clock to the real time. Its API keys stay.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" onClick={() => setAsking('empty')}>
          Empty test mode
        </Button>
        <Button kind="danger" onClick={() => setAsking('demo')}>
          Start over with demo data
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title={isAsking === 'demo' ? 'Start over with demo data?' : 'Empty test mode?'}
          action={isAsking === 'demo' ? 'Start over' : 'Empty it'}
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await post('/test/reset', isAsking === 'demo' ? { demo: true } : {});
            await startAfresh('/');
          }}
        >
          All records, events and webhooks of test mode are deleted, and its settings, such as the late fees,
          are reset. Its API keys stay. Your real records are not touched.
        </Confirm>
      )}
    </Section>
  );
}
