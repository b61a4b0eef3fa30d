import fc, { type Arbitrary } from 'fast-check'

/**
 * Zones with unusual clock changes: by half an hour, at midnight, offsets of quarter hours, a day that was left out. None whose rules
 * for the future are still being changed: servers and Node follow such changes at different times.
 */
export const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Asia/Tehran',
] as const

/** Moments at which some of these clocks change. */
const CHANGES = [
  '2024-03-31T01:00:00.000Z',
  '2024-10-27T01:00:00.000Z',
  '2024-03-10T07:00:00.000Z',
  '2024-11-03T06:00:00.000Z',
  '2018-11-04T03:00:00.000Z',
  '2018-02-18T02:00:00.000Z',
  '2010-11-07T02:31:00.000Z',
  '2024-04-06T15:00:00.000Z',
  '2024-10-05T15:30:00.000Z',
  '2011-12-30T10:00:00.000Z',
  '2018-03-21T20:30:00.000Z',
  '2016-01-01T00:00:00.000Z',
  '2020-12-31T00:00:00.000Z',
  '2026-01-01T00:00:00.000Z',
]

const HOUR = 3_600_000
const SHIFTS = [0, 0, -1, 1, -HOUR / 2, HOUR / 2, -HOUR, HOUR, -11 * HOUR, 14 * HOUR, -24 * HOUR, 24 * HOUR, 240 * HOUR]

/** An instant near one of the changes, sometimes at an end of the calendar. */
export const instant: Arbitrary<string> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc
      .tuple(fc.constantFrom(...CHANGES), fc.constantFrom(...SHIFTS))
      .map(([change, shift]) => new Date(Date.parse(change) + shift).toISOString()),
  },
  { weight: 1, arbitrary: fc.constantFrom('0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z') },
)

export const day: Arbitrary<string> = instant.map((text) => text.slice(0, 10))

export const relativeWord: Arbitrary<string> = fc.oneof(
  fc.constantFrom('today', 'now'),
  fc
    .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 30 }), fc.constantFrom('d', 'w', 'm', 'y', 'h'))
    .map((parts) => parts.join('')),
)

const PIECES = [
  ...['a', 'A', 'b', 'ä', 'Ä', 'a\u0308', 'ß', 'ẞ', 'ss', 'SS', 'é', 'ø', 'Æ', 'ae', 'ł', 'ı', 'İ', 'I', 'Σ', 'ς', 'σ'],
  ...['ﬁ', 'fi', 'Å', 'ǅ', '％', '＿', '＼', '%', '_', '\\', "'", '"', '“', '—', '-', ' ', '\n', '\u0301', '\u05b0'],
  ...['😀', '𝒜', '𐐀', '𐐨', '\uE000', '\uFFFD', '한', '각', 'が', 'ก่', '½', '①', '\u200d', 'null', 'false', '0', '1e3'],
]

/** Blocks with case, marks and compatibility forms, without letters that the ICU of an old server does not know. */
const BLOCKS = [
  [0x20, 0x52f],
  [0x591, 0x5f4],
  [0x10a0, 0x10ff],
  [0x1e00, 0x218f],
  [0x2c60, 0x2c7f],
  [0xfb00, 0xfb4f],
  [0x10400, 0x104ff],
] as const

const letter = fc
  .oneof(...BLOCKS.map(([min, max]) => fc.integer({ min, max })))
  .map((code) => String.fromCodePoint(code))
  .filter((text) => !/\p{Cn}/u.test(text))

/** Text that is never empty, mostly of a few letters that are hard to compare, so that searches find something. */
export const text: Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('a', 'Ä', 'ab', 'Straße', 'STRASSE', 'ΑΣ', '50%', 'a_b', '\\', '😀', '\uE000'),
  },
  { weight: 2, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }).map(join) },
  { weight: 1, arbitrary: fc.array(letter, { minLength: 1, maxLength: 4 }).map(join) },
)

function join(parts: readonly string[]): string {
  return parts.join('')
}

export const whole: Arbitrary<number> = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -2, max: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom(-2_147_483_648, 2_147_483_647) },
)

/** Also beyond what a column holds. */
export const anyWhole: Arbitrary<number> = fc.oneof(
  { weight: 8, arbitrary: whole },
  { weight: 1, arbitrary: fc.constantFrom(2_147_483_648, -9e9, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER) },
)

export const decimal: Arbitrary<number> = fc.constantFrom(0, 0.1, -0.1, 0.3, 1.5, 2, 12.345678, 1e14, 999_999.000001)

export const anyDecimal: Arbitrary<number> = fc.oneof(
  { weight: 6, arbitrary: decimal },
  { weight: 1, arbitrary: fc.constantFrom(-0, 0.1 + 0.2, 1e-7, 1e21, -1e300, 5e-324, 12.3456784) },
)
