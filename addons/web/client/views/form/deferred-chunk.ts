import './live/live.css'
import { offerFormActs } from './action/form-acts.ts'
import { followForm } from './live/follow-form.ts'
import type { FormModel } from './model/model.ts'

export { archive, deleteLater } from './action/archive-delete.ts'
export { duplicate } from './action/duplicate.ts'
export { ComposerTools, htmlOfMessage, RichMessage } from './chatter/composer-tools.tsx'
export { Mentions, mentioningHtml } from './chatter/mentions.tsx'
export { PartChoice } from './chatter/part-choice.tsx'
export { Writing } from './chatter/writing.tsx'
export { RecordPager } from './header/record-pager.tsx'
/** Parts of a form for the work of other users on the same record and for the palette, as one chunk; see model/deferred-parts.ts. */
export { OthersChanges } from './live/others-changes.tsx'
export { peerMark } from './live/peer-mark.ts'
export { Presence } from './live/presence.tsx'
export { Waiting } from './save/waiting.tsx'
export { Notices } from './sheet/notices.tsx'
export { translationsOf } from './sheet/translations.tsx'

/** Follows other users and offers the record to the palette, as long as the form is on screen. */
export function attendForm(form: FormModel): () => void {
  const stops = [followForm(form), offerFormActs(form)]
  return () => {
    for (const stop of stops) stop()
  }
}
