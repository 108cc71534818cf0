-- Of an import that was sent with a key, the id of the actor is that of the key. Rows before have been checked.
alter table history
  drop constraint history_actor_type_check,
  add constraint history_actor_type_check check (actor_type in
    ('person', 'key', 'import', 'import_by_key', 'clock', 'operator')) not valid;
