-- An import mostly creates records with consecutive ids: one row remembers a run of them, res_id to last_id; without last_id it is one record.
ALTER TABLE sys_import_record ADD COLUMN last_id integer CHECK (last_id >= res_id);
