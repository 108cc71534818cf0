-- The attempt that ended a delivery stands in the delivery's own row: most deliveries have no other, and a row less with
-- its index entry is a tenth of what settling costs. delivery_attempts has those before it (and those of deliveries that ended
-- before this migration). Number, start, status and error are the delivery's attempts, last_attempt_at, last_status and
-- last_error; outcome is null where nothing was sent.
alter table deliveries
  add column duration_ms integer,
  add column outcome text,
  add column signature text,
  add column response_headers text,
  add column response_body text;

-- Deliveries of an endpoint, whatever their event, are merged from the streams of
-- deliveries_by_endpoint_and_event: there are few kinds of events, and every delivery would be written here.
drop index deliveries_by_endpoint;
