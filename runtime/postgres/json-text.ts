const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_PRINTABLE = 0x20
const HEX = Buffer.from('0123456789abcdef')
const U = 'u'.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)

/** Escapes of two characters; the other control characters take six. */
const SHORT: ReadonlyMap<number, number> = new Map(
  Object.entries({ '\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r', '"': '"', '\\': '\\' }).map(
    ([character, letter]) => [character.charCodeAt(0), letter.charCodeAt(0)],
  ),
)

/** A buffer of JSON text in UTF-8. */
export class JsonText {
  #bytes: Buffer
  #length = 0

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size)
  }

  get length(): number {
    return this.#length
  }

  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  byte(code: number): void {
    this.#makeRoom(1)
    this.#bytes[this.#length++] = code
  }

  /** Copies bytes unchanged. Most pieces are short, for which a loop is faster than `Buffer.copy`. */
  copy(source: Buffer, from: number, to: number): void {
    this.#makeRoom(to - from)
    const bytes = this.#bytes
    let at = this.#length
    for (let i = from; i < to; i++) bytes[at++] = source[i]!
    this.#length = at
  }

  all(source: Buffer): void {
    this.copy(source, 0, source.length)
  }

  /** Writes text from `source` as a JSON string. */
  string(source: Buffer, from: number, to: number): void {
    this.#makeRoom(to - from + 2)
    let bytes = this.#bytes
    let at = this.#length
    bytes[at++] = QUOTE
    for (let i = from; i < to; i++) {
      const code = source[i]!
      if (code >= FIRST_PRINTABLE && code !== QUOTE && code !== BACKSLASH) bytes[at++] = code
      else {
        this.#length = at
        this.#makeRoom(to - i + 6)
        bytes = this.#bytes
        bytes[at++] = BACKSLASH
        const letter = SHORT.get(code)
        if (letter !== undefined) bytes[at++] = letter
        else {
          bytes[at++] = U
          bytes[at++] = ZERO
          bytes[at++] = ZERO
          bytes[at++] = HEX[code >> 4]!
          bytes[at++] = HEX[code & 15]!
        }
      }
    }
    bytes[at++] = QUOTE
    this.#length = at
  }

  #makeRoom(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + more))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
