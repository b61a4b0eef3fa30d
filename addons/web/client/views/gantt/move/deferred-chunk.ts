/** Everything that moves bars, as one chunk; see use-gantt.ts. */

export { pressOnChart } from './drag.ts'
export { pressOnRows } from './keys.ts'
