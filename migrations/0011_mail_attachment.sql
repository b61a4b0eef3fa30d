-- Files that go out with a mail; they are deleted when it was sent.
CREATE TABLE sys_mail_attachment (
  mail_id bigint NOT NULL REFERENCES sys_mail ON DELETE CASCADE,
  position integer NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (mail_id, position)
);
