-- Tells every process when views, actions or menus have changed. They are kept in memory apart from the registry.
ALTER TABLE sys_epoch ADD COLUMN views integer NOT NULL DEFAULT 0;
