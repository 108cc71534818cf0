export { EditRequestPage, NewRequestPage } from './request-form.tsx';
export { MaintenancePage } from './request-list.tsx';
export { RequestPage } from './request-page.tsx';
