import type { Writable } from 'node:stream'

/** Takes one line. */
export interface LineWriter {
  (line: string): void
  /** Lines so far that nobody took. */
  lost(): number
}

/** What a reader that does not read may leave in memory. */
const MAX_WAITING_BYTES = 1_048_576

/**
 * Writes lines to a stream that may be a full disk, a closed pipe or one nobody reads: it never throws, never waits, and rather
 * leaves lines out than fill the memory. The next line that can be written is preceded by the number of lines left out.
 */
export function createLineWriter(stream: Writable): LineWriter {
  let untold = 0
  let lost = 0
  const lose = (lines: number) => {
    lost++
    untold += lines
  }
  stream.on('error', () => {})
  const write = (line: string): void => {
    if (stream.destroyed || stream.writableLength > MAX_WAITING_BYTES) {
      lose(1)
      return
    }
    const telling = untold
    untold = 0
    stream.write(`${toldOf(telling)}${line}\n`, (error) => {
      if (error) lose(telling + 1)
    })
  }
  return Object.assign(write, { lost: () => lost })
}

/** On a line of its own: of the last line that a disk took there may be the beginning only. */
const toldOf = (lines: number): string =>
  lines === 0
    ? ''
    : `\n${lines === 1 ? '1 line was' : `${lines} lines were`} left out: the output was blocked, or its disk full.\n`
