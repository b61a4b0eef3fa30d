import { documentFonts } from '../../runtime/fonts.ts'

/** A font of PostScript outlines, made here: 東 and 京 have one dictionary of subroutines, あ has another. */
export const CFF_TEXT = '東あ京'

const u16 = (...values: readonly number[]) => Buffer.from(values.flatMap((value) => [(value >> 8) & 255, value & 255]))
const u32 = (...values: readonly number[]) => Buffer.concat(values.map((value) => u16(value >>> 16, value & 0xffff)))

/** An INDEX of CFF with offsets of two bytes. */
function indexOf(items: readonly Uint8Array[]): Buffer {
  if (items.length === 0) return u16(0)
  const ends = items.map((_, i) => 1 + items.slice(0, i + 1).reduce((sum, { length }) => sum + length, 0))
  return Buffer.concat([u16(items.length), Buffer.from([2]), u16(1, ...ends), ...items])
}

/** A number of a dictionary, always five bytes long. */
const dictNumber = (value: number) => Buffer.concat([Buffer.from([29]), u32(value)])
const entry = (operator: readonly number[], ...values: readonly number[]) =>
  Buffer.concat([...values.map(dictNumber), Buffer.from(operator)])

/** A subroutine that draws a box. */
function boxOf(width: number): Buffer {
  const number = (value: number) => Buffer.concat([Buffer.from([28]), u16(value)])
  const [MOVE, LINES, RETURN] = [21, 6, 11]
  const corner = Buffer.concat([number(0), number(0), Buffer.from([MOVE])])
  return Buffer.concat([corner, number(width), number(500), number(-width), Buffer.from([LINES, RETURN])])
}

function cffTable(): Buffer {
  // Each glyph calls the first subroutine of its dictionary.
  const glyphs = indexOf(Array.from({ length: 4 }, () => Buffer.from([32, 10, 14])))
  const select = Buffer.from([0, 0, 0, 1, 0])
  const own = entry([19], 6)
  const privates = [900, 300].map((width) => Buffer.concat([own, indexOf([boxOf(width)])]))
  const front = Buffer.concat([Buffer.from([1, 0, 4, 4]), indexOf([Buffer.from('Test')])])
  const middle = Buffer.concat([indexOf([Buffer.from('Adobe'), Buffer.from('Identity')]), indexOf([])])
  const topOf = (at: readonly [glyphs: number, select: number, array: number]) =>
    indexOf([
      Buffer.concat([entry([12, 30], 391, 392, 0), entry([17], at[0]), entry([12, 37], at[1]), entry([12, 36], at[2])]),
    ])
  const start = front.length + topOf([0, 0, 0]).length + middle.length
  const selectAt = start + glyphs.length
  const privateAt = selectAt + select.length
  const arrayAt = privateAt + privates[0]!.length + privates[1]!.length
  const array = indexOf([entry([18], own.length, privateAt), entry([18], own.length, privateAt + privates[0]!.length)])
  return Buffer.concat([front, topOf([start, selectAt, arrayAt]), middle, glyphs, select, ...privates, array])
}

/** A table of the font that all documents use. */
function houseTable(name: string): Buffer {
  const file = Buffer.from(documentFonts.regular)
  const at = Array.from({ length: file.readUInt16BE(4) }, (_, i) => 12 + 16 * i).find(
    (each) => file.toString('latin1', each, each + 4) === name,
  )!
  return Buffer.from(file.subarray(file.readUInt32BE(at + 8), file.readUInt32BE(at + 8) + file.readUInt32BE(at + 12)))
}

/** The file of the font, or a collection that has it as its first; `cff` in place of its own outlines. */
export function cffFont({ isCollection = false, outlines = 'CFF ', cff = cffTable() as Uint8Array } = {}): Buffer {
  const hhea = houseTable('hhea')
  hhea.writeUInt16BE(4, 34)
  const groups = [...CFF_TEXT].map((char, i) => [char.codePointAt(0)!, i + 1] as const).sort(([a], [b]) => a - b)
  const map = groups.map(([code, glyph]) => u32(code, code, glyph))
  const tables: readonly (readonly [string, Uint8Array])[] = [
    [outlines, cff],
    ['OS/2', houseTable('OS/2')],
    ['cmap', Buffer.concat([u16(0, 1, 3, 10), u32(12), u16(12, 0), u32(16 + 36, 0, 3), ...map])],
    ['head', houseTable('head')],
    ['hhea', hhea],
    ['hmtx', u16(2048, 0, 2048, 0, 2048, 0, 2048, 0)],
    ['maxp', Buffer.concat([u32(0x5000), u16(4)])],
    ['name', houseTable('name')],
    ['post', houseTable('post')],
  ]
  const collection = isCollection ? Buffer.concat([Buffer.from('ttcf'), u32(0x10000, 1, 16)]) : Buffer.alloc(0)
  let at = collection.length + 12 + 16 * tables.length
  const directory: Buffer[] = []
  for (const [name, { length }] of tables) {
    directory.push(Buffer.concat([Buffer.from(name), u32(0, at, length)]))
    at += length
  }
  const header = Buffer.concat([Buffer.from('OTTO'), u16(tables.length, 0, 0, 0)])
  return Buffer.concat([collection, header, ...directory, ...tables.map(([, table]) => table)])
}
