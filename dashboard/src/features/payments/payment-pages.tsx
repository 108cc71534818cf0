export { PaymentsPage } from './payment-list.tsx';
export { PaymentPage } from './payment-page.tsx';
