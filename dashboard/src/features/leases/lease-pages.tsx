export { EditLeasePage, NewLeasePage } from './lease-form.tsx';
export { LeasesPage } from './lease-list.tsx';
export { LeasePage } from './lease-page.tsx';
