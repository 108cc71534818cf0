export { EditWebhookPage, NewWebhookPage } from './webhook-form.tsx';
export { WebhooksPage } from './webhook-list.tsx';
export { WebhookPage } from './webhook-page.tsx';
