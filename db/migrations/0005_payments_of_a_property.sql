-- A property's payments of a range of dates, whatever their status: a sixth of the streams that are merged by
-- payments_by_property_and_month and payments_by_property_and_day, which have the status in front
-- (docs/decisions/0006-lists-that-stay-flat.md).
create index payments_by_property_month on payments (account_id, property_id, paid_month, id);
create index payments_by_property_day on payments (account_id, property_id, paid_on, id);
