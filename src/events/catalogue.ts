/** The closed list of events. The part before the dot is the key of the record in `data`. */
export const catalogue = {
  'property.created': 'A property was added.',
  'property.updated': 'A property was changed or archived.',
  'unit.created': 'A unit was added to a property.',
  'unit.updated': 'A unit was changed.',
  'tenant.created': 'A tenant was added.',
  'tenant.updated': 'A tenant was changed.',
  'lease.created': 'A lease was made.',
  'lease.updated': 'A lease was changed.',
  'lease.ended': 'The day a lease ends was set (in addition to `lease.updated`, or to `lease.created`).',
  'payment.created': 'A rent payment was recorded.',
  'payment.updated': 'A rent payment was changed, its status included.',
  'maintenance_request.created': 'A maintenance request was made.',
  'maintenance_request.updated': 'A maintenance request was changed, its status included.',
  'maintenance_request.completed':
    'A maintenance request was completed (in addition to `maintenance_request.updated`, or to `maintenance_request.created`).',
} as const;

/** Sent by the test button to one endpoint; cannot be subscribed to. */
export const testEvent = 'webhook.test';

export type SubscribableEvent = keyof typeof catalogue;
export type EventName = SubscribableEvent | typeof testEvent;

export const subscribableEvents = Object.keys(catalogue) as [SubscribableEvent, ...SubscribableEvent[]];
export const eventNames: [EventName, ...EventName[]] = [...subscribableEvents, testEvent];

export const isSubscribable = (name: string): name is SubscribableEvent => Object.hasOwn(catalogue, name);
