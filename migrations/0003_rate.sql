-- What callers have used of their allowances; see kernel/http/rate-table.ts. Unlogged: a crash forgets it, and nothing is written twice.
-- Half of each page is left free, so that a new version of a row finds room beside the old one and no index has to change.
CREATE UNLOGGED TABLE sys_rate (
  key text PRIMARY KEY,
  -- The moment at which the whole allowance is there again.
  tat timestamptz NOT NULL,
  -- How many of those last asked for were granted.
  granted integer NOT NULL
) WITH (fillfactor = 50);
