import type { Home } from '../../api/records.ts';
import { Day } from '../../ui/date.tsx';
import { TextLink } from '../../ui/lists/names.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { Section } from '../../ui/page.tsx';
import { count } from '../../ui/words.ts';
import { endingSoon } from '../leases/ending-soon.ts';

const shown = 8;

export function LeasesEnding({ of: { total, leases } }: { of: Home['leases_ending'] }) {
  return (
    <Section
      title="Leases ending within 60 days"
      about={total > shown ? `the next ${shown} of ${total.toLocaleString()}` : undefined}
      actions={
        total > shown && (
          <TextLink to="/leases" search={endingSoon()}>
            Show all
          </TextLink>
        )
      }
    >
      {leases.length === 0 ? (
        <p className="border-t border-line pt-3 text-soft">No lease ends soon.</p>
      ) : (
        <Table
          label="Leases ending within 60 days"
          rows={leases.slice(0, shown)}
          rowKey={(lease) => lease.id}
          rowLink={(lease) => `/leases/${lease.id}`}
          isSticky={false}
          columns={[
            {
              name: 'Tenant',
              phone: 'title',
              cell: ({ tenants: [head, ...others] }) => (
                <>
                  {head?.name}
                  {others.length > 0 && (
                    <span className="font-normal whitespace-nowrap text-soft"> +{others.length}</span>
                  )}
                </>
              ),
            },
            { name: 'Unit', phone: 'line', cell: ({ property, unit }) => `${property.name}, ${unit.name}` },
            { name: 'Ends', phone: 'aside', align: 'right', cell: ({ ends_on }) => <Day date={ends_on} /> },
            {
              name: 'Left',
              phone: 'aside',
              align: 'right',
              className: 'text-soft whitespace-nowrap',
              cell: ({ days_left }) => (days_left === 0 ? 'Today' : count(days_left, 'day')),
            },
          ]}
        />
      )}
    </Section>
  );
}
