/** Everything that moves and creates bars, as one chunk; see view.tsx. */

export { NewRecordForm } from '../../plan/new-record-form.tsx'
export { pressOnChart } from './drag.ts'
export { pressOnRows } from './keys.ts'
