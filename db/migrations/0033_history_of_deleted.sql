-- Which leases that were deleted named a tenant, and what went with them: their history tells it, for an erasure.
create index history_of_deleted on history (account_id) where action = 'deleted';
