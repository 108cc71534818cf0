-- A property's payments of a range of dates, whatever their status: a sixth of the streams that are merged by
-- payments_by_property_and_month and payments_by_property_and_day, which have the status in front
-- (docs/decisions/0006-lists-that-stay-flat.md).
create index payments_by_property_month on payments (account_id, property_id, paid_month, id);
create index payments_by_property_day on payments (account_id, property_id, paid_on, id);

-- There are about twenty kinds of events. A sample may show one of them only, and then the plan for all calls takes an index
-- without the event for a filter by event, and passes over everything else.
alter table deliveries alter column event set (n_distinct = 20);
alter table events alter column event set (n_distinct = 20);
