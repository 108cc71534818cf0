export { RentCollectedPage } from './rent-collected-page.tsx';
export { RentRollPage } from './rent-roll-page.tsx';
export { ReportsLayout } from './reports-layout.tsx';
