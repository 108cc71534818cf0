export type * from './api.ts';
export { Tenure } from './client.ts';
export { type ErrorType, TenureConnectionError, TenureError, TenureSignatureError } from './errors.ts';
export { List, type Page } from './list.ts';
export type { Options, OptionsWithQuery, TenureOptions } from './options.ts';
export { type EventOf, type ReceivedWebhook, verifyWebhook } from './webhooks.ts';
