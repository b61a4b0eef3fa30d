/** Everything that moves and creates records in a calendar, as one chunk; see view.tsx. */

export { NewRecordForm } from '../plan/new-record-form.tsx'
export { clickOnGrid, pressOnGrid } from './move/drag.ts'
export { enterDays, pressOnDays } from './move/keys.ts'
