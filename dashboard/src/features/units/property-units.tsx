import { useQuery } from '@tanstack/react-query';
import { Paperclip, Plus } from 'lucide-react';
import { useState } from 'react';
import { tenanciesOf } from '../../api/queries.ts';
import type { Property, Tenancy } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { byName } from '../../ui/forms/pickers.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { useFilters } from '../../ui/lists/use-filters.ts';
import type { Column } from '../../ui/lists/width/column.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Panel } from '../../ui/records/panel.tsx';
import { FilesSection } from '../files/files-section.tsx';
import { tenancyColumns } from './tenancy-columns.tsx';
import { UnitDialog } from './unit-dialog.tsx';

/** The units of a property in one table: who rents them, what they owe, what comes next. */
export function PropertyUnits({ property }: { property: Property }) {
  const canWrite = useCanWrite();
  const [editing, setEditing] = useState<Tenancy | 'new' | null>(null);
  const [showing, setShowing] = useState<Tenancy | null>(null);
  const { unit: marked } = useFilters(['unit']).filters;
  const query = useQuery({ ...tenanciesOf(property.id), select: byName });
  const files: Column<Tenancy> = {
    name: 'Files',
    width: 3.5,
    cell: (unit) => (
      <IconButton label={`Files of ${unit.name}`} className="relative z-1" onClick={() => setShowing(unit)}>
        <Paperclip />
      </IconButton>
    ),
  };
  return (
    <>
      <Panel
        title="Units"
        query={query}
        columns={[...tenancyColumns(canWrite ? setEditing : undefined), files]}
        empty="No units yet. Add what you rent out: flats, houses, shops."
        isFixed
        marked={marked}
        actions={
          <div className="flex flex-wrap gap-2">
            {property.unit_count > 0 && <ExportLink path={`/properties/${property.id}/units`} filter={{}} />}
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
