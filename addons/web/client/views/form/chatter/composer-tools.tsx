import { htmlOfText } from '../../../../../../kernel/html/from-text.ts'
import { deferred, deferredComponent } from '../../../core/deferred.tsx'
import { t } from '../../../core/i18n.ts'
import type { Person } from '../../../net/bus.ts'
import { Button } from '../../../ui/button.tsx'
import { mentioningHtml } from './mentions.tsx'
import type { WritingBox } from './writing-box.ts'

/** The box of a message with formats. The editor is loaded when it is first opened. */
export const RichMessage = deferredComponent(
  deferred(() => import('./rich-message.tsx')),
  ({ RichMessageBox }) => RichMessageBox,
)

/** A message that was begun as plain text, for the editor with formats. Text typed after a name is not part of its link. */
export const htmlOfMessage = (text: string, people: readonly Person[]): string =>
  (mentioningHtml(text, people) ?? htmlOfText(text)).replace(/<\/a><\/p>$/, '</a>&nbsp;</p>')

interface ComposerToolsProps {
  readonly box: WritingBox
  /** Absent if the message already has formats. */
  readonly onFormat?: () => void
}

/** The buttons below a message: one writes the `@` that shows the people, one opens the editor with formats. */
export const ComposerTools = ({ box, onFormat }: ComposerToolsProps) => (
  <>
    <Button
      label={t('Mention someone')}
      icon="at-sign"
      iconOnly
      kind="ghost"
      size="sm"
      onClick={() => {
        box.element.focus()
        box.type(/\S$/.test(box.beforeCaret() ?? '') ? ' @' : '@')
      }}
    />
    {onFormat && <Button label={t('Formatting')} icon="type" iconOnly kind="ghost" size="sm" onClick={onFormat} />}
  </>
)
