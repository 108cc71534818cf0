-- There are about twenty kinds of events. A sample may show one of them only, and then the plan for all calls takes an index
-- without the event for a filter by event, and passes over everything else.
alter table deliveries alter column event set (n_distinct = 20);
alter table events alter column event set (n_distinct = 20);
