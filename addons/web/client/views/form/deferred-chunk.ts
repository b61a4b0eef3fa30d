import './live/live.css'

/** What a form needs when others work on the same record, as one chunk; see model/deferred-parts.ts. */
export { Deleted } from './live/deleted.tsx'
export { followForm } from './live/follow-form.ts'
export { Presence } from './live/presence.tsx'
