-- What somebody does at the record right now: the field they type in, or what the bus has a word for.
ALTER TABLE sys_presence ADD COLUMN doing text NOT NULL DEFAULT '';
