import { Outlet } from '@tanstack/react-router';
import { Tabs } from '../../ui/tabs.tsx';

const tabs = [
  ['/reports/rent-roll', 'Rent roll'],
  ['/reports/rent-collected', 'Rent collected'],
] as const;

export function ReportsLayout() {
  return (
    <>
      <Tabs label="Reports" tabs={tabs} />
      <Outlet />
    </>
  );
}
