-- Lists of the dashboard as somebody wants to see them again (docs/decisions/0032-a-view-is-a-persons-or-the-teams.md).
create table saved_views (
  account_id uuid        not null constraint saved_views_account_id_fk references accounts,
  id         uuid        not null,
  -- Whose it is; null: the team's.
  user_id    uuid,
  list       text        not null check (list in
    ('properties', 'units', 'tenants', 'leases', 'payments', 'charges', 'overdue', 'maintenance')),
  name       text        not null,
  -- Filters, search and order, as in the address of the page.
  query      text        not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  constraint saved_views_name_unique unique nulls not distinct (account_id, user_id, list, name)
);
