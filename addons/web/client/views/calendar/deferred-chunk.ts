/** What the calendar needs when a record is created; see view.tsx. */
export { NewRecordForm } from '../plan/new-record-form.tsx'
