-- What the rules need to know of a deleted record, so that its event reaches those who could read it.
ALTER TABLE sys_outbox ADD COLUMN before jsonb;

-- Who has which record open right now. Lost in a crash, which is right: the sockets are lost too.
CREATE UNLOGGED TABLE sys_presence (
  process text NOT NULL,
  user_id integer NOT NULL,
  model text NOT NULL,
  res_id integer NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (process, user_id, model, res_id)
);
CREATE INDEX sys_presence_record ON sys_presence (model, res_id);

-- Sockets belong to sessions, which are looked up by this once a second.
CREATE UNIQUE INDEX sys_session_public_id ON sys_session (public_id);
