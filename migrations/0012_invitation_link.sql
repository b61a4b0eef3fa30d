-- An invitation is a link of its own: whoever asks for a new password of the invited user does not end it.
ALTER TABLE sys_reset DROP CONSTRAINT sys_reset_pkey;
CREATE UNIQUE INDEX sys_reset_user_kind ON sys_reset (user_id, (invited_at IS NULL));
