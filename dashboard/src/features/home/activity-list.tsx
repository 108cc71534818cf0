import { Link } from '@tanstack/react-router';
import type { Activity } from '../../api/records.ts';
import { Ago } from '../../ui/date.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Section } from '../../ui/page.tsx';

const pages: Record<Activity['link']['type'], string> = {
  property: '/properties',
  unit: '/units',
  tenant: '/tenants',
  lease: '/leases',
  payment: '/payments',
  charge: '/charges',
  maintenance_request: '/maintenance',
  webhook: '/settings/webhooks',
};

/** The latest events of the account. */
export function ActivityList({ activity }: { activity: Activity[] }) {
  return (
    <Section title="Latest activity">
      <ol aria-label="Latest activity" className="border-t border-line">
        {activity.slice(0, 10).map((item) => (
          <li
            key={item.id}
            className="relative flex items-baseline justify-between gap-4 border-b border-line py-2 hover:bg-hover"
          >
            <div className="min-w-0">
              <Link
                to={
                  item.link.id === null ? pages[item.link.type] : `${pages[item.link.type]}/${item.link.id}`
                }
                className="font-medium after:absolute after:inset-0"
              >
                {item.title}
                {item.amount_cents !== null && item.currency !== null && (
                  <span className="ml-2">{formatMoney(item.amount_cents, item.currency)}</span>
                )}
              </Link>
              {item.detail && <div className="truncate text-sm text-soft">{item.detail}</div>}
            </div>
            <div className="shrink-0 text-sm text-soft">
              <Ago at={item.created_at} />
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
