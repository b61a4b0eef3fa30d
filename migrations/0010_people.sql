-- When somebody was last here. Sessions are deleted when they end, so they cannot tell.
ALTER TABLE sys_credential ADD COLUMN seen_at timestamptz;
UPDATE sys_credential c SET seen_at = (SELECT max(last_seen_at) FROM sys_session s WHERE s.user_id = c.user_id);

-- A link that invites a new user; null: a link for a forgotten password.
ALTER TABLE sys_reset ADD COLUMN invited_at timestamptz;
