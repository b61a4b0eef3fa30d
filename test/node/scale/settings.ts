/** How large a run is: `SCALE_<NAME>` in the environment, small enough by default for two cores that do other work, too. */
export const SETTINGS = {
  /** A turn of the measurement of throughput; 0 leaves it out. */
  seconds: read('SECONDS', 3),
  /** Calls at once in it. */
  concurrency: read('CONCURRENCY', 16),
  /** Clients while parts fail. */
  writers: read('WRITERS', 2),
  readers: read('READERS', 2),
  creators: read('CREATORS', 2),
  pages: read('PAGES', 6),
  /** Between two calls of each of them. */
  pauseMs: read('PAUSE_MS', 50),
  /** `db_max_open_conns` of each process, and sessions of the pooler. */
  connections: read('CONNECTIONS', 10),
  sessions: read('SESSIONS', 20),
}

function read(name: string, fallback: number): number {
  return Number(process.env[`SCALE_${name}`] ?? fallback)
}
