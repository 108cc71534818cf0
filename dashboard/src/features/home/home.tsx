import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import type { Home } from '../../api/records.ts';
import { useSession } from '../../api/session.ts';
import { today } from '../../ui/date.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Loaded, Skeleton } from '../../ui/states.tsx';
import { ActivityList } from './activity-list.tsx';
import { Figures } from './figures.tsx';
import { LeasesEnding } from './leases-ending.tsx';
import { RentChart } from './rent-chart.tsx';
import { Setup } from './setup.tsx';

export function HomePage() {
  const { account } = useSession();
  const query = useQuery({
    // Another day is a different page.
    queryKey: ['home', today()],
    queryFn: ({ signal }) => get<Home>('/home', undefined, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={account?.name ?? 'Home'} tab="Home">
      <Loaded query={query} waiting={<Waiting />}>
        {(home) => <Overview home={home} />}
      </Loaded>
    </Page>
  );
}

function Overview({ home }: { home: Home }) {
  const isNew = !home.setup.unit;
  return (
    <div className="flex flex-col gap-10">
      {!home.setup.complete && <Setup setup={home.setup} />}
      {!isNew && (
        <>
          <Figures home={home} />
          <Section title="Charges over 12 months" about={home.currency}>
            <RentChart months={home.months} currency={home.currency} />
          </Section>
        </>
      )}
      <div className="grid gap-x-12 gap-y-10 xl:grid-cols-2">
        {!isNew && <LeasesEnding of={home.leases_ending} />}
        {home.activity.length > 0 && <ActivityList activity={home.activity} />}
      </div>
    </div>
  );
}

function Waiting() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-10">
      <div className="grid grid-cols-2 gap-6 xl:grid-cols-5">
        {[1, 2, 3, 4, 5].map((index) => (
          <div key={index} className="flex flex-col gap-3">
            <div className="skeleton h-3.5 w-24" />
            <div className="skeleton h-7 w-32" />
            <div className="skeleton h-3.5 w-40 max-w-full" />
          </div>
        ))}
      </div>
      <div className="skeleton h-64" />
      <div className="grid gap-12 xl:grid-cols-2">
        <Skeleton count={6} />
        <Skeleton count={6} />
      </div>
    </div>
  );
}
