import type { Writable } from 'node:stream'

/** Takes one line. */
export interface LineWriter {
  (line: string): void
  /** Number of lines left out so far. */
  lost(): number
}

/** Bytes that may wait in memory while the output does not take them. */
const MAX_WAITING_BYTES = 1_048_576

/**
 * Writes lines to a stream that may be a full disk, a closed pipe or a pipe that is not read: it never throws, never waits, and leaves
 * lines out instead of filling the memory. The next line that can be written is preceded by the number of lines left out.
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

/** Begins on a new line, since only the beginning of the last line may have been written. */
const toldOf = (lines: number): string =>
  lines === 0
    ? ''
    : `\n${lines === 1 ? '1 line was' : `${lines} lines were`} left out: the output was blocked, or its disk full.\n`
