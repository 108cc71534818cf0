-- Sign-in by a second factor (an authenticator app), and by passkeys. better-auth reads and writes these tables.
alter table users add column two_factor_enabled boolean not null default false;

-- The app's secret is encrypted with SECRET_KEY. Of recovery codes only the SHA-256 is kept, as a JSON array. Until
-- the first code was right (verified), the person is not asked for one. last_step is the time of the last code that
-- was used: neither that one nor an earlier one is taken again.
create table two_factors (
  id                        uuid primary key,
  user_id                   uuid not null unique constraint two_factors_user_id_fk references users on delete cascade,
  secret                    text not null,
  backup_codes              text not null,
  verified                  boolean not null,
  failed_verification_count integer not null default 0,
  locked_until              timestamptz,
  last_step                 integer
);

-- Only public keys. The counter goes to 2^32, beyond integer, and must be read as a number.
create table passkeys (
  id            uuid primary key,
  user_id       uuid not null constraint passkeys_user_id_fk references users on delete cascade,
  name          text not null,
  credential_id text not null unique,
  public_key    text not null,
  counter       double precision not null,
  device_type   text not null,
  backed_up     boolean not null,
  transports    text,
  aaguid        text,
  created_at    timestamptz not null,
  last_used_at  timestamptz
);
create index passkeys_by_user on passkeys (user_id, id);
