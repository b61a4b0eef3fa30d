const POOL_BYTES = 4_096

/**
 * Random bytes for secrets. Read from the system a page at a time, because each read is a system call (5 to 20 µs) and every request needs
 * a few bytes. No byte is returned twice.
 */
export function createRandom(): (bytes: number) => Uint8Array {
  const pool = new Uint8Array(POOL_BYTES)
  let used = POOL_BYTES
  return (bytes) => {
    if (bytes > POOL_BYTES / 2) return crypto.getRandomValues(new Uint8Array(bytes))
    if (used + bytes > POOL_BYTES) {
      crypto.getRandomValues(pool)
      used = 0
    }
    const start = used
    used += bytes
    const drawn = pool.slice(start, used)
    pool.fill(0, start, used)
    return drawn
  }
}
