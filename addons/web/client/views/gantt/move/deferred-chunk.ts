/** Everything that moves bars, as one chunk; see use-gantt.ts. */

export { pressOnChart } from './drag.ts'
export { enterRows, pressOnRows } from './keys.ts'
