-- Sessions: the token changes every few hours. The one before stays good until the new one has been used, and a minute more.
-- `public_id` names a session on the page that lists them, without being a way in.
ALTER TABLE sys_session
  ADD COLUMN public_id uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN rotated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ADD COLUMN is_lasting boolean NOT NULL DEFAULT false;

-- One live link per user; only a hash of what it carries.
CREATE TABLE sys_reset (
  user_id integer PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  auth_epoch integer NOT NULL,
  expires_at timestamptz NOT NULL
);

-- Secrets that one page may show once. The secret itself travels encrypted in a cookie and is not here.
CREATE TABLE sys_flash (
  id uuid PRIMARY KEY,
  session_id uuid NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sys_flash_expires_at ON sys_flash (expires_at);
