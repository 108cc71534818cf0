import { useState } from 'react';
import { fileAddress } from '../../api/client.ts';
import { buttonClass } from '../../ui/button.tsx';
import { today } from '../../ui/date.tsx';
import { DateField, FieldRow } from '../../ui/forms/field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

/** The ledger for the tenant: a page to print, or a PDF. */
export function StatementDialog({
  leaseId,
  ledgerFrom,
  onClose,
}: {
  leaseId: string;
  ledgerFrom: string;
  onClose: () => void;
}) {
  const [from, setFrom] = useState(ledgerFrom);
  // Before its ledger begins, a lease has nothing to show but the first day.
  const [to, setTo] = useState(ledgerFrom > today() ? ledgerFrom : today());
  const address = (format: string) => fileAddress(`/leases/${leaseId}/statement`, { from, to, format });
  const isRange = from !== '' && to !== '' && from <= to;
  return (
    <Dialog
      title="Statement"
      description="Charges, payments and the amount due, to give to the tenants."
      onClose={onClose}
    >
      <FieldRow>
        <DateField
          name="from"
          label="From"
          value={from}
          hint={isRange ? undefined : 'Must not be after the last day.'}
          onChange={(event) => setFrom(event.target.value)}
        />
        <DateField name="to" label="To" value={to} onChange={(event) => setTo(event.target.value)} />
      </FieldRow>
      {isRange && (
        <div className="mt-6 flex flex-row-reverse flex-wrap justify-start gap-2">
          <a href={address('html')} target="_blank" rel="noopener" className={buttonClass('main')}>
            Open to print
          </a>
          <a href={address('pdf')} download className={buttonClass()}>
            Download PDF
          </a>
        </div>
      )}
    </Dialog>
  );
}
