import type { Writable } from 'node:stream'

/** What a reader that does not read may leave in memory. */
const MAX_WAITING_BYTES = 1_048_576

/**
 * Writes lines to a stream that may be a full disk, a closed pipe or one nobody reads: it never throws, never waits, and rather
 * leaves lines out than fill the memory. The next line that can be written is preceded by the number of lines left out.
 */
export function createLineWriter(stream: Writable): (line: string) => void {
  let lost = 0
  stream.on('error', () => {})
  return (line) => {
    if (stream.destroyed || stream.writableLength > MAX_WAITING_BYTES) {
      lost++
      return
    }
    const told =
      lost === 0 ? '' : `${lost === 1 ? '1 line was' : `${lost} lines were`} left out because the output was blocked.\n`
    lost = 0
    stream.write(`${told}${line}\n`)
  }
}
