import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronDown, FileText, Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import { get } from '../../api/client.ts';
import type { Lease, Ledger } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { today } from '../../ui/date.tsx';
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx';
import { Section } from '../../ui/page.tsx';
import { PrintButton } from '../../ui/print.tsx';
import { Loaded, Skeleton } from '../../ui/states.tsx';
import { BalanceFigures } from './balance-figures.tsx';
import { ApplyDepositDialog, RefundDialog } from './deposit-dialogs.tsx';
import { ChargeDialog, CreditDialog, type Mistake, VoidDialog } from './entry-dialogs.tsx';
import { LedgerEntries, NotCounted, Upcoming } from './ledger-entries.tsx';
import { StatementDialog } from './statement-dialog.tsx';

type Dialog = 'charge' | 'credit' | 'refund' | 'apply' | 'statement';

/** What a lease owes and why: the balance, what falls due next, and every entry. */
export function LeaseLedger({ lease }: { lease: Lease }) {
  const [open, setOpen] = useState<Dialog | null>(null);
  const [mistake, setMistake] = useState<Mistake | null>(null);
  const [withVoided, setWithVoided] = useState(false);
  const canWrite = useCanWrite();
  const path = `/leases/${lease.id}/ledger`;
  const filter = withVoided ? { voided: 'true' } : {};
  const query = useQuery({
    // Another day is a different ledger.
    queryKey: [path, today(), filter],
    queryFn: ({ signal }) => get<Ledger>(path, filter, signal),
    placeholderData: keepPreviousData,
  });
  const ledger = query.data;
  const close = () => setOpen(null);
  return (
    <Section
      title="Ledger"
      sheet="ledger"
      actions={
        <div className="flex flex-wrap gap-2">
          {canWrite && (
            <>
              <Button icon={<Plus />} onClick={() => setOpen('charge')}>
                Charge
              </Button>
              <Button icon={<Minus />} onClick={() => setOpen('credit')}>
                Credit
              </Button>
              {ledger && <DepositMenu ledger={ledger} onChoose={setOpen} />}
            </>
          )}
          <Button icon={<FileText />} onClick={() => setOpen('statement')}>
            Statement
          </Button>
          <PrintButton label="Print ledger" sheet="ledger" />
        </div>
      }
    >
      <Loaded query={query} waiting={<Skeleton count={8} />}>
        {(data) => (
          <div className="flex flex-col gap-5 border-t border-line pt-4">
            <BalanceFigures ledger={data} />
            <Upcoming of={data} />
            <LedgerEntries
              ledger={data}
              onVoid={canWrite ? setMistake : undefined}
              withVoided={withVoided}
              onWithVoided={setWithVoided}
            />
            <NotCounted of={data.not_counted} />
          </div>
        )}
      </Loaded>
      {open === 'charge' && <ChargeDialog lease={lease} onClose={close} />}
      {open === 'credit' && <CreditDialog lease={lease} onClose={close} />}
      {open === 'refund' && ledger && <RefundDialog ledger={ledger} onClose={close} />}
      {open === 'apply' && ledger && <ApplyDepositDialog ledger={ledger} onClose={close} />}
      {open === 'statement' && (
        <StatementDialog leaseId={lease.id} ledgerFrom={lease.ledger_from} onClose={close} />
      )}
      {mistake && <VoidDialog of={mistake} onClose={() => setMistake(null)} />}
    </Section>
  );
}

function DepositMenu({ ledger, onChoose }: { ledger: Ledger; onChoose: (choice: Dialog) => void }) {
  if (ledger.deposit_held_cents === 0) return null;
  return (
    <Menu
      trigger={
        <Button>
          Deposit <ChevronDown />
        </Button>
      }
    >
      {ledger.open_cents > 0 && <MenuItem onSelect={() => onChoose('apply')}>Apply to what is owed</MenuItem>}
      <MenuItem onSelect={() => onChoose('refund')}>Refund</MenuItem>
    </Menu>
  );
}
