-- The number of the transaction that wrote an event. Ids are made before the commit, so their order is not the order in
-- which events appear; with this number a reader knows what can still appear before an event
-- (docs/decisions/0024-a-feed-in-commit-order.md). A process of the release before leaves it to the default as well.
-- Events from before are settled: they have 0, and among them the order of their ids counts. Both steps take no longer
-- with many rows.
alter table events add column written_in bigint not null default 0;
alter table events alter column written_in set default pg_current_xact_id()::text::bigint;
create index events_in_order on events (account_id, written_in, id) include (event);
