import type { IntegerSetting } from '#kernel'

/** Both count minutes of time entries; a day has enough of the largest. */
const MINUTES = { type: 'integer', unit: 'minutes', min: 1, max: 480, default: null } as const

export const roundingMinutes: IntegerSetting = {
  ...MINUTES,
  name: 'project.rounding_minutes',
  label: 'Round hours up',
  help: 'Hours that are entered from now on become the next multiple of so much. Empty: they stay as they are entered.',
}

export const leastMinutes: IntegerSetting = {
  ...MINUTES,
  name: 'project.least_minutes',
  label: 'Shortest time entry',
  help: 'Whoever enters less from now on has entered so much. Empty: an entry may be as short as you like.',
}
