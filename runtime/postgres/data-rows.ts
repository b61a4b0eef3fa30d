import type pg from 'pg'

/** Takes the rows of the statement that runs, as the server has sent them. */
export interface RowReader {
  /** The columns of a row from `at` on, each with its length before it. The bytes are only there during the call. */
  handleRow(bytes: Buffer, at: number): void
}

type OnData = (bytes: Buffer) => void

/** What `pg` listens to. */
interface Source {
  on(event: string, listener: OnData): unknown
}

/** What the declaration of `pg` leaves out of its connection. */
interface Wire extends pg.Connection {
  attachListeners(source: Source): void
}

const readers = new WeakMap<pg.Connection, RowReader>()

/** Whose rows come next; null: those of `pg` itself, as messages. */
export function readRows(connection: pg.Connection, reader: RowReader | null): void {
  if (reader === null) readers.delete(connection)
  else readers.set(connection, reader)
}

const DATA_ROW = 'D'.charCodeAt(0)
/** A letter and the length, which counts itself. */
const HEADER_BYTES = 5
/** Behind it the number of columns. */
const COLUMNS_BYTES = 2

/**
 * Lets rows be read from the bytes that arrive. `pg` makes a text of every value, and those of a page are soon written as bytes again;
 * this was half of the processor time of a list. All other messages go to `pg` as before. Call it before the connection is opened.
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

/** Collects bytes to whole messages, and hands rows to their reader and the rest to `pg`, in the order of the server. */
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
    // What is not passed on yet may say whose rows come next.
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
