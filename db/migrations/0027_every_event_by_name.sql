-- A subscription to all events has their names beside the asterisk, so that a process of the release before, which looks
-- for the name of an event, queues its deliveries too while both run.
update webhook_endpoints set events = '{*,property.created,property.updated,unit.created,unit.updated,tenant.created,
  tenant.updated,lease.created,lease.updated,lease.ended,lease.started,
  lease.expiring,charge.created,charge.updated,charge.due,charge.overdue,
  credit.created,credit.updated,payment.created,payment.updated,maintenance_request.created,
  maintenance_request.updated,maintenance_request.completed}' where '*' = any(events);
