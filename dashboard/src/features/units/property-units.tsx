import { useQuery } from '@tanstack/react-query';
import { Paperclip, Plus } from 'lucide-react';
import { useState } from 'react';
import { whole } from '../../api/queries.ts';
import type { Property, Unit } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { byName } from '../../ui/forms/pickers.tsx';
import { moneyColumn, statusColumn } from '../../ui/lists/columns.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Panel } from '../../ui/records/panel.tsx';
import { unitStatus } from '../../ui/words.ts';
import { FilesSection } from '../files/files-section.tsx';
import { UnitDialog } from './unit-dialog.tsx';

export const rooms = (unit: Unit): string =>
  [
    unit.bedrooms !== null && (unit.bedrooms === 0 ? 'Studio' : `${unit.bedrooms} bed`),
    unit.bathrooms !== null && `${unit.bathrooms} bath`,
    unit.area_sqft !== null && `${unit.area_sqft.toLocaleString()} sq ft`,
  ]
    .filter(Boolean)
    .join(' · ') || '–';

export function PropertyUnits({ property }: { property: Property }) {
  const canWrite = useCanWrite();
  const [editing, setEditing] = useState<Unit | 'new' | null>(null);
  const [showing, setShowing] = useState<Unit | null>(null);
  const query = useQuery({ ...whole('units', { property_id: property.id }), select: byName });
  const columns: Column<Unit>[] = [
    {
      name: 'Unit',
      phone: 'title',
      cell: (unit) =>
        canWrite ? (
          <button
            type="button"
            onClick={() => setEditing(unit)}
            className="text-left font-medium wrap-anywhere after:absolute after:inset-0 hover:after:bg-ink/4"
          >
            {unit.name}
          </button>
        ) : (
          <span className="font-medium">{unit.name}</span>
        ),
    },
    { name: 'Rooms', phone: 'line', className: 'text-soft', cell: rooms },
    statusColumn('Status', (unit) => unitStatus[unit.status]),
    moneyColumn('Asking rent', (unit) => unit.market_rent_cents),
    {
      name: 'Files',
      cell: (unit) => (
        <IconButton label={`Files of ${unit.name}`} className="relative z-1" onClick={() => setShowing(unit)}>
          <Paperclip />
        </IconButton>
      ),
    },
  ];
  return (
    <>
      <Panel
        title="Units"
        query={query}
        columns={columns}
        empty="No units yet. Add what you rent out: flats, houses, shops."
        actions={
          <div className="flex flex-wrap gap-2">
            <ExportLink path="/units" filter={{ property_id: property.id }} />
            {canWrite && (
              <Button icon={<Plus />} onClick={() => setEditing('new')}>
                Add unit
              </Button>
            )}
          </div>
        }
      />
      {showing && (
        <Dialog title={`Unit ${showing.name}`} onClose={() => setShowing(null)}>
          <FilesSection record={showing.id} />
        </Dialog>
      )}
      {editing && (
        <UnitDialog
          propertyId={property.id}
          unit={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  );
}
