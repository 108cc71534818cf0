import { TabsLayout } from '../../ui/tabs.tsx';

const tabs = [
  ['/reports/rent-roll', 'Rent roll'],
  ['/reports/rent-collected', 'Rent collected'],
] as const;

export const ReportsLayout = () => <TabsLayout label="Reports" tabs={tabs} />;
