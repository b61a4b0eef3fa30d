import { below, pick, type Random } from '../support/seeded-random.ts'

/** JSON text that no JavaScript value stands for. */
class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const raw = (text: string) => new RawJson(text)

/** A word that occurs nowhere else, so that it can be looked for in the SQL that was sent. */
export const CANARY = 'zqx'

/** Texts for places where a name is expected. */
export const HOSTILE_NAMES: readonly string[] = [
  ...['', ' ', '.', '..', '*', '0', 'id ', ' id', 'ID', 'id.id', 'name.name', '__proto__', 'constructor', 'prototype'],
  ...[
    'toString',
    'hasOwnProperty',
    'length',
    'id desc',
    'id,id',
    'id;',
    'id--',
    "id'",
    'id"',
    'id`',
    'id)',
    'id\\',
    'id\n',
  ],
  `${CANARY}`,
  `${CANARY}"; DROP TABLE core_user; --`,
  `id) UNION ALL VALUES(1,'${CANARY}')--`,
  `id" = 1 OR "${CANARY}" = "`,
  `(SELECT/**/1) ${CANARY}`,
  `id::${CANARY}`,
  `id/*${CANARY}*/`,
  `$1${CANARY}`,
  `E'\\x00'${CANARY}`,
  `core_user.${CANARY}`,
  `ıd${CANARY}`,
  `ＩＤ${CANARY}`,
  `nåme${CANARY}\u200b`,
  `${CANARY}\u202e`,
  `${CANARY}${'x'.repeat(80)}`,
  `${CANARY}.`.repeat(40),
  'parent_id.'.repeat(20),
  'create_uid.'.repeat(16),
]

const nested = (depth: number) => raw('['.repeat(depth) + ']'.repeat(depth))

/** Values that no place of the grammar expects. */
export const HOSTILE_VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, -0.5, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, 2 ** 53, 1e21, 1e308, 5e-324],
  ...[
    '9007199254740993',
    '1e999',
    '-1e999',
    '-0',
    '1E+2',
    '0.1e-400',
    'NaN',
    'Infinity',
    '01',
    '+1',
    '0x10',
    '1_000',
  ].map(raw),
  ...[
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00x"',
    '"\\ud83d\\ude00"',
    '"\\uZZZZ"',
    '"\\x41"',
    "'a'",
    '"\t"',
  ].map(raw),
  ...[
    '{"__proto__":{"limit":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"a":1,"a":2}',
    '{"\\u005f_proto__":1}',
  ].map(raw),
  ...[
    '2026-02-31',
    '2026-1-1',
    '10000-01-01',
    '2026-01-31T25:00:00Z',
    '2026-01-31 12:00',
    '-99999d',
    '+99999y',
    'now',
    'NaN',
  ],
  ...[
    '%',
    '_',
    '\\',
    '%%%%',
    '\\%',
    'x'.repeat(5_000),
    '😀'.repeat(2_100),
    'é'.repeat(4_097),
    '\u2028',
    '\ufeff',
    '<script>',
  ],
  ...[
    [],
    {},
    [[]],
    [{}],
    [null],
    { '': null },
    { 0: 0 },
    [1, '1'],
    [[1, 2, 3, 4]],
    [0, 0, {}],
    [1, 1, {}],
    [6, 0, [1]],
    ['|'],
    ['!', '!'],
  ],
  ...[nested(5), nested(20), nested(33), nested(200)],
  Array.from({ length: 1_100 }, (_, i) => i + 1),
  Array.from({ length: 300 }, () => ['id', '=', 1]),
  Array.from({ length: 120 }, () => '!'),
  Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${CANARY}${i}`, i])),
  ...HOSTILE_NAMES,
]

type Tree = Record<string, unknown> | unknown[]

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !(value instanceof RawJson)

/** The tree with one place changed: replaced, removed, doubled, renamed or wrapped. */
export function mutate(random: Random, tree: unknown): unknown {
  if (!isTree(tree)) return pick(random, HOSTILE_VALUES)
  const keys = Object.keys(tree)
  if (keys.length === 0)
    return pick(random, [pick(random, HOSTILE_VALUES), [tree], { [pick(random, HOSTILE_NAMES)]: 1 }])
  const key =
    'args' in tree && random() < 0.8 ? (random() < 0.7 || !('kwargs' in tree) ? 'args' : 'kwargs') : pick(random, keys)
  const child = Array.isArray(tree) ? tree[Number(key)] : tree[key]
  if (isTree(child) && random() < 0.9) return put(tree, key, mutate(random, child))
  switch (below(random, 6)) {
    case 0:
      return remove(tree, key)
    case 1:
      return put(tree, key, [child])
    case 2:
      return Array.isArray(tree) ? [...tree, child] : { ...remove(tree, key), [pick(random, HOSTILE_NAMES)]: child }
    default:
      return put(tree, key, pick(random, HOSTILE_VALUES))
  }
}

const put = (tree: Tree, key: string, value: unknown): Tree =>
  Array.isArray(tree) ? tree.map((item, i) => (i === Number(key) ? value : item)) : { ...tree, [key]: value }

const remove = (tree: Tree, key: string): Tree =>
  Array.isArray(tree)
    ? tree.filter((_, i) => i !== Number(key))
    : Object.fromEntries(Object.entries(tree).filter(([name]) => name !== key))

/** JSON, with raw parts as they are. */
export function toText(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(toText).join()}]`
  if (!isTree(value)) return JSON.stringify(value) ?? 'null'
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${toText(item)}`)
    .join()}}`
}
