/** The closed list of events. The part before the dot is the key of the record in `data`. */
export const catalogue = {
  'property.created': 'A property was added.',
  'property.updated': 'A property was changed or archived.',
  'unit.created': 'A unit was added to a property.',
  'unit.updated': 'A unit was changed, its status included (by a lease, or by a new day).',
  'tenant.created': 'A tenant was added.',
  'tenant.updated':
    'A tenant was changed, their lease and its status included (by a lease, or by a new day).',
  'lease.created': 'A lease was made.',
  'lease.updated': 'A lease was changed.',
  'lease.ended': 'The day a lease ends was set (in addition to `lease.updated`, or to `lease.created`).',
  'lease.started': 'The first day of a lease began.',
  'lease.expiring':
    'The agreed end of a lease is near (90, 60 and 30 days away, unless the account chose other days; not after notice or a renewal).',
  'charge.created': 'A charge was posted or added.',
  'charge.updated': 'A charge was voided.',
  'charge.due': 'The due day of a charge began, and some of it is open.',
  'charge.overdue': 'The day after the due day of a charge began, and some of it is still open.',
  'credit.created': 'A credit was given.',
  'credit.updated': 'A credit was voided.',
  'payment.created': 'A rent payment was recorded.',
  'payment.updated': 'A rent payment was changed, its status included.',
  'maintenance_request.created': 'A maintenance request was made.',
  'maintenance_request.updated': 'A maintenance request was changed, its status included.',
  'maintenance_request.completed':
    'A maintenance request was completed (in addition to `maintenance_request.updated`, or to `maintenance_request.created`).',
  'file.created': 'A photo or a document was added to a record.',
  'file.updated': 'A file was renamed, or moved among the files of its record.',
  'file.deleted': 'A file was deleted, by itself or with its record.',
} as const;

/** Sent to one endpoint by the test button. It cannot be subscribed to. */
export const testEvent = 'webhook.test';

export type SubscribableEvent = keyof typeof catalogue;
export type EventName = SubscribableEvent | typeof testEvent;

export const subscribableEvents = Object.keys(catalogue) as [SubscribableEvent, ...SubscribableEvent[]];
export const eventNames: [EventName, ...EventName[]] = [...subscribableEvents, testEvent];

/** Subscribes to all events, including those that later versions add. */
export const everyEvent = '*';

export type Subscribed = SubscribableEvent | typeof everyEvent;

export const isSubscribable = (name: string): name is SubscribableEvent => Object.hasOwn(catalogue, name);

/** The version of the API whose records are in events, as in the API's path. */
export const apiVersion = 'v1';
