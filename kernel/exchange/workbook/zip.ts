/** A file of an archive, in parts that are made when they are needed. */
export interface ZipFile {
  readonly name: string
  readonly parts: AsyncIterable<string> | Iterable<string>
}

/**
 * The bytes of a ZIP archive while its files are made. The host's own `CompressionStream` deflates, off the event loop on Node; sizes
 * follow their data, so that nothing is kept but the directory. Archives end at 4 GB.
 */
export async function* zipParts(files: AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const directory: Uint8Array[] = []
  let offset = 0
  for await (const { name, parts } of files) {
    const path = new TextEncoder().encode(name)
    const at = offset
    const head = bytes(
      [LOCAL, 4],
      [20, 2],
      [DESCRIBED, 2],
      [DEFLATED, 2],
      [DATE, 4],
      [0, 4],
      [0, 4],
      [0, 4],
      [path.length, 2],
      [0, 2],
    )
    offset += head.length + path.length
    const sum = { crc: 0xffffffff, size: 0, packed: 0 }
    const packed = deflate(parts, sum)
    // An error before the first bytes of a file is thrown before its header is sent.
    let chunk = await packed.next()
    yield head
    yield path
    for (; !chunk.done; chunk = await packed.next()) {
      sum.packed += chunk.value.length
      yield chunk.value
    }
    const crc = (sum.crc ^ 0xffffffff) >>> 0
    const sizes = [
      [crc, 4],
      [sum.packed, 4],
      [sum.size, 4],
    ] as const
    const tail = bytes([DESCRIPTOR, 4], ...sizes)
    offset += sum.packed + tail.length
    yield tail
    directory.push(
      bytes(
        [CENTRAL, 4],
        [20, 2],
        [20, 2],
        [DESCRIBED, 2],
        [DEFLATED, 2],
        [DATE, 4],
        ...sizes,
        [path.length, 2],
        [0, 4],
        [0, 4],
        [0, 4],
        [at, 4],
      ),
      path,
    )
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const count = directory.length / 2
  for (const part of directory) yield part
  yield bytes([END, 4], [0, 4], [count, 2], [count, 2], [size, 4], [offset, 4], [0, 2])
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const DESCRIPTOR = 0x08074b50
const END = 0x06054b50
/** Sizes follow the data, and names are UTF-8. */
const DESCRIBED = 0x0808
const DEFLATED = 8
/** 1980-01-01, the earliest date of the format. It is constant, so that equal content gives equal bytes. */
const DATE = 0x00210000

/** Numbers as little-endian bytes, each of the given length. */
function bytes(...numbers: readonly (readonly [value: number, length: number])[]): Uint8Array {
  const all = numbers.flatMap(([value, length]) => Array.from({ length }, (_, i) => Math.floor(value / 256 ** i) % 256))
  return Uint8Array.from(all)
}

interface Sum {
  crc: number
  size: number
}

async function* deflate(parts: ZipFile['parts'], sum: Sum): AsyncGenerator<Uint8Array> {
  const stream = new CompressionStream('deflate-raw')
  const writer = stream.writable.getWriter()
  const utf8 = new TextEncoder()
  const table = crcTable()
  const fill = async () => {
    for await (const part of parts) {
      const chunk = utf8.encode(part)
      sum.crc = addCrc(table, sum.crc, chunk)
      sum.size += chunk.length
      await writer.ready
      await writer.write(chunk)
    }
    await writer.close()
  }
  const filled = fill().catch(async (error: unknown) => {
    await writer.abort(error).catch(() => undefined)
    throw error
  })
  // The error is thrown to the reader below; without this it would also count as unhandled.
  filled.catch(() => undefined)
  const reader = stream.readable.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
    await filled
  } catch (error) {
    // Throws the original error, since the stream of a host may have replaced it.
    await filled
    throw error
  } finally {
    await reader.cancel().catch(() => undefined)
    await filled.catch(() => undefined)
  }
}

function crcTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c >>> 0
  })
}

function addCrc(table: Uint32Array, crc: number, chunk: Uint8Array): number {
  let c = crc
  for (let i = 0; i < chunk.length; i++) c = table[(c ^ chunk[i]!) & 255]! ^ (c >>> 8)
  return c
}
