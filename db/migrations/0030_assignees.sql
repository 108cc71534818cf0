-- The names that requests were assigned to, each once and with its latest request: read by skipping from name to name.
create index maintenance_by_assignee on maintenance_requests (account_id, lower(assigned_to) collate "C", id desc)
  where assigned_to is not null;
