-- Logins are compared without blanks around them and without invisible characters. Where two logins become one, the later keeps its
-- old form until an administrator renames it.
DO $$ BEGIN
  IF to_regclass('core_user') IS NOT NULL THEN
    UPDATE core_user u SET login_key = k.key
    FROM (
      SELECT DISTINCT ON (key) id, key
      FROM (
        SELECT id, login_key, btrim(regexp_replace(login_key, '[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]', '', 'g'),
          E' \t\n\r\f\v') AS key
        FROM core_user
      ) AS all_keys
      ORDER BY key, login_key <> key, id
    ) AS k
    WHERE u.id = k.id AND u.login_key <> k.key;
  END IF;
END $$;
