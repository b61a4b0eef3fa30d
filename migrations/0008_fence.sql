-- How far a read replica must have come before it may answer: one row for each session and API key that has written lately, and
-- one named `rights` for the last change of rights. Unlogged, because it is written after every transaction: a crash or a failover
-- empties it, and the missing row `rights` says so.
CREATE UNLOGGED TABLE sys_fence (
  subject text PRIMARY KEY,
  lsn pg_lsn NOT NULL,
  raised_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
ALTER TABLE sys_session DROP COLUMN last_write_lsn;
