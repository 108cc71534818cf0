-- Which maintenance requests were a tenant's before they were given to somebody else, for an erasure: few entries tell it.
create index history_of_moved on history (account_id) where changes like '%"field":"tenant_id"%';
