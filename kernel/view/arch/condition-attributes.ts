/** Attributes whose value is a condition over the record, see `../../expression/`. */
const CONDITIONS: ReadonlySet<string> = new Set([
  'invisible',
  'readonly',
  'required',
  'column_invisible',
  'undeletable',
])

export const isConditionAttribute = (name: string): boolean => CONDITIONS.has(name) || name.startsWith('decoration-')
