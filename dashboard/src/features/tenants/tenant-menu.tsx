import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, Eraser } from 'lucide-react';
import { useState } from 'react';
import { fileAddress } from '../../api/client.ts';
import type { Tenant } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { post, saved } from '../../api/writes.ts';
import { buttonClass } from '../../ui/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { MenuDownload, MenuItem } from '../../ui/overlays/menu.tsx';
import { MoreMenu } from '../../ui/records/delete-record.tsx';
import { fullName } from '../../ui/words.ts';
import { balancesOf } from '../ledger/ledger-queries.ts';

/** Rare actions on a tenant. Viewers may export the tenant's data. */
export function TenantMenu({ tenant }: { tenant: Tenant }) {
  const navigate = useNavigate();
  const [isErasing, setErasing] = useState(false);
  const path = `/tenants/${tenant.id}`;
  const archive = fileAddress(`${path}/export`, { format: 'zip' });
  if (!useCanWrite())
    return (
      <a href={archive} download className={buttonClass()}>
        <Download /> Export data
      </a>
    );
  return (
    <>
      <MoreMenu path={path} noun="tenant" name={fullName(tenant)} leave={() => navigate({ to: '/tenants' })}>
        <MenuDownload href={archive} icon={<Download />}>
          Export data
        </MenuDownload>
        <MenuItem icon={<Eraser />} isDanger onSelect={() => setErasing(true)}>
          Erase personal data
        </MenuItem>
      </MoreMenu>
      {isErasing && <EraseDialog tenant={tenant} onClose={() => setErasing(false)} />}
    </>
  );
}

function EraseDialog({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) {
  const { data: balances = [] } = useQuery(balancesOf(tenant.id));
  const [typed, setTyped] = useState('');
  // The dialog is still open when the tenant has already lost their name.
  const [name] = useState(fullName(tenant));
  const owed = balances
    .filter(({ balance_cents }) => balance_cents > 0)
    .map(({ balance_cents, currency }) => formatMoney(balance_cents, currency));
  return (
    <FormDialog
      title={`Erase ${name}?`}
      description={
        <>
          Name, contacts and notes are erased for good: here, in the history, and in events and deliveries.
          Amounts, dates and leases stay, so that all sums are as before. Export their data first if you may
          need it. Backups made before still have it.
          {owed.length > 0 && (
            <strong className="mt-2 block text-bad">
              {owed.join(' and ')} is still owed. You will no longer know by whom.
            </strong>
          )}
        </>
      }
      submit="Erase for good"
      isReady={typed.trim() === name}
      onClose={onClose}
      onSubmit={() => saved(post(`/tenants/${tenant.id}/erase`), 'Personal data erased')}
    >
      <TextField
        name="confirmation"
        label={`Type ${name} to confirm`}
        autoComplete="off"
        autoFocus
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}
