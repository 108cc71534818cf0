-- The days at the ends of a range of dates. Whole months are read by payments_by_month and its like, in the order of
-- ids; of a month that belongs to the range only in part, each day is (docs/decisions/0006-lists-that-stay-flat.md).
-- Passing over the other days of such a month took longer the more payments there were.
create index payments_by_status_and_day on payments (account_id, status, paid_on, id);
create index payments_by_property_and_day on payments (account_id, property_id, status, paid_on, id);
