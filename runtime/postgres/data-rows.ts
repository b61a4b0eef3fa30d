import type pg from 'pg'

/** Gets the rows of the running statement as the server has sent them. */
export interface RowReader {
  /** The columns of a row from `at` on, each preceded by its length. The bytes are only valid during the call. */
  handleRow(bytes: Buffer, at: number): void
}

type OnData = (bytes: Buffer) => void

/** The socket as `pg` uses it. */
interface Source {
  on(event: string, listener: OnData): unknown
}

/** A method of the connection that the types of `pg` omit. */
interface Wire extends pg.Connection {
  attachListeners(source: Source): void
}

const readers = new WeakMap<pg.Connection, RowReader>()

/** Sets the reader of the next rows; null: `pg` gets them as messages. */
export function readRows(connection: pg.Connection, reader: RowReader | null): void {
  if (reader === null) readers.delete(connection)
  else readers.set(connection, reader)
}

const DATA_ROW = 'D'.charCodeAt(0)
/** A letter and the length, which counts itself. */
const HEADER_BYTES = 5
/** After the header, the number of columns. */
const COLUMNS_BYTES = 2

/**
 * Reads rows directly from the bytes that arrive. `pg` would make a string of every value, and most are soon written as bytes again, which
 * took half of the processor time of a list. All other messages go to `pg` as before. Call it before the connection is opened.
 */
export function passRowsOn(connection: pg.Connection): void {
  const wire = connection as Wire
  const attach = wire.attachListeners.bind(wire)
  wire.attachListeners = (socket) => {
    let passOn: OnData = () => {}
    attach({
      on(event, listener) {
        if (event === 'data') passOn = listener
      },
    })
    const split = splitRows(wire, (messages) => passOn(messages))
    socket.on('data', split)
  }
}

/** Collects bytes to complete messages; passes rows to their reader and the rest to `pg`, in the order of the server. */
function splitRows(connection: pg.Connection, passOn: OnData): OnData {
  let kept: Buffer[] = []
  let size = 0
  let wanted = HEADER_BYTES
  return (chunk) => {
    kept.push(chunk)
    size += chunk.length
    if (size < wanted) return
    const bytes = kept.length === 1 ? chunk : Buffer.concat(kept)
    let at = 0
    let passed = 0
    let length = HEADER_BYTES
    const passUpTo = (end: number) => {
      if (passed < end) passOn(bytes.subarray(passed, end))
      passed = end
    }
    // True after a message other than a row: once passed on, it may change the reader of the rows that follow.
    let mayTurn = false
    while (bytes.length - at >= HEADER_BYTES) {
      length = 1 + bytes.readUInt32BE(at + 1)
      if (bytes.length - at < length) break
      if (bytes[at] !== DATA_ROW) mayTurn = true
      else {
        if (mayTurn) passUpTo(at)
        mayTurn = false
        const reader = readers.get(connection)
        if (reader) {
          passUpTo(at)
          reader.handleRow(bytes, at + HEADER_BYTES + COLUMNS_BYTES)
          passed = at + length
        }
      }
      at += length
      length = HEADER_BYTES
    }
    passUpTo(at)
    kept = at < bytes.length ? [bytes.subarray(at)] : []
    size = bytes.length - at
    wanted = length
  }
}
