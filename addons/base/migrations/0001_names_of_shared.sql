-- Export sets and filters of the same name, model and owner could be stored where the owner, or the action of a filter, was unset.
-- The first keeps its name, the others get their id behind it.
DO $$
BEGIN
  IF to_regclass('sys_export_set') IS NOT NULL THEN
    UPDATE sys_export_set t SET name = left(t.name, 85) || ' (' || t.id || ')'
    WHERE EXISTS (
      SELECT FROM sys_export_set o
      WHERE o.id < t.id AND o.name = t.name AND o.model = t.model AND o.user_id IS NOT DISTINCT FROM t.user_id);
  END IF;
  IF to_regclass('sys_filter') IS NOT NULL THEN
    UPDATE sys_filter t SET name = left(t.name, 85) || ' (' || t.id || ')'
    WHERE EXISTS (
      SELECT FROM sys_filter o
      WHERE o.id < t.id AND o.name = t.name AND o.model = t.model AND o.user_id IS NOT DISTINCT FROM t.user_id
        AND o.action_id IS NOT DISTINCT FROM t.action_id);
  END IF;
END $$;
