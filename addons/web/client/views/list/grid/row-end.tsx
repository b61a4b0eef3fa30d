import { t } from '../../../core/i18n.ts'
import { type RecordEntry, valuesOf, writerOf } from '../../../store/records.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { ListView } from '../model/list-view.ts'

export interface RowEndProps {
  readonly view: ListView
  readonly entry: RecordEntry
  /** Whether another user changed it a moment ago. */
  readonly isRecent: boolean
  readonly isEdited: boolean
}

/** End of a row: the user who just changed or deleted it, and the button that discards its unsaved changes. */
export function RowEnd({ view, entry, isRecent, isEdited }: RowEndProps) {
  const deleted = entry.deleted.value
  const by = typeof deleted === 'object' ? deleted : isRecent ? writerOf(valuesOf(entry).value) : undefined
  return (
    <>
      {by && <Avatar id={by[0]} name={by[1]} />}
      {deleted && (
        <>
          <Icon name={deleted === 'hidden' ? 'eye-off' : 'trash-2'} />
          <span class="vh">{deleted === 'hidden' ? t('No longer visible to you') : t('Deleted')}</span>
        </>
      )}
      {isEdited && (
        <button
          type="button"
          class="btn icon ghost sm"
          tabIndex={-1}
          aria-label={t('Discard changes')}
          data-tip={t('Discard changes')}
          onClick={() => view.discard(entry.id)}
        >
          <Icon name="undo-2" />
        </button>
      )}
    </>
  )
}
