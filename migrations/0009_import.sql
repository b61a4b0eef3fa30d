-- What an import created or changed, so that it can be undone: the version each record had when the import ended and, of a changed
-- record, the values before. Rows of an import go with it.
CREATE TABLE sys_import_record (
  import_id integer NOT NULL,
  model text NOT NULL,
  res_id integer NOT NULL,
  version integer NOT NULL,
  change text NOT NULL CHECK (change IN ('created', 'updated', 'final')),
  before jsonb,
  PRIMARY KEY (import_id, model, res_id)
);
