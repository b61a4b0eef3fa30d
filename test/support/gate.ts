/**
 * A gate in the database: a statement that changes the name of a tag waits until the gate is open, for as long as a statement may take.
 * With it a test can hold a call of a service for as long as needed, without a lock and its time limit.
 */
export const CREATE_GATE = `
  CREATE TABLE gate (is_open boolean NOT NULL);
  INSERT INTO gate VALUES (false);
  GRANT SELECT ON gate TO PUBLIC;
  CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      WHILE NOT (SELECT is_open FROM gate) LOOP PERFORM pg_sleep(0.02); END LOOP;
      RETURN NEW;
    END $$;
  CREATE TRIGGER gate BEFORE UPDATE OF name ON core_tag FOR EACH ROW EXECUTE FUNCTION wait_at_gate()`

export const OPEN_GATE = 'UPDATE gate SET is_open = true'
export const CLOSE_GATE = 'UPDATE gate SET is_open = false'

/** Sessions of this database that wait at the gate. */
export const AT_GATE = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`
