/** What forms and controls use besides sdk.ts. It is no part of the first load: nothing that draws a list imports it. */
export { type ChatterMessage, fetchMessages, postMessage } from './net/chatter.ts'
export { type RecordConflict, readConflict } from './store/conflict.ts'
export { createDraft, type Draft } from './store/draft.ts'
export { type DraftPlace, dropDraft, findDraft, keepDraft } from './store/draft-keeper.ts'
export { type DraftRecordOptions, recordOfDraft } from './store/draft-record.ts'
export * from './store/x2many.ts'
export { Combobox, type Option } from './ui/combobox.tsx'
export { type Tab, Tabs } from './ui/tabs.tsx'
