-- Mails on their way out, each inserted in the transaction it tells of. A mail that was sent keeps its row and loses its body,
-- which may hold a link that lets somebody in.
CREATE TABLE sys_mail (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id text NOT NULL UNIQUE,
  dedupe_key text UNIQUE,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown')),
  policy text NOT NULL DEFAULT 'at_least_once' CHECK (policy IN ('at_least_once', 'at_most_once')),
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  owner text,
  lease_until timestamptz,
  to_name text NOT NULL,
  to_address text NOT NULL,
  subject text NOT NULL,
  text text,
  html text,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  sent_at timestamptz,
  CHECK (text IS NOT NULL OR state = 'sent'),
  CHECK ((state = 'sending') = (lease_until IS NOT NULL))
);
CREATE INDEX sys_mail_due ON sys_mail ((coalesce(lease_until, next_at))) WHERE state IN ('queued', 'sending');
CREATE INDEX sys_mail_created_at ON sys_mail (created_at);
