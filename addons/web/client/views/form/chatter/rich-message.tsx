import { useLayoutEffect, useRef } from 'preact/hooks'
import type Squire from 'squire-rte'
import { escapeText } from '../../../../../../kernel/html/entities.ts'
import { t } from '../../../core/i18n.ts'
import { type Format, RichText } from '../../../fields/edit/rich-text.tsx'
import type { WritingBox } from './writing-box.ts'
import './rich-message.css'

/** The formats that a message keeps. */
const FORMATS: readonly Format[] = ['B', 'I', 'UL', 'OL', 'BLOCKQUOTE']

export interface RichMessageBoxProps {
  readonly html: string
  readonly onChange: (html: string) => void
  readonly onOpen: (box: WritingBox) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** The box of a message with formats. When it closes after the message was sent by keyboard, the plain box gets the focus. */
export function RichMessageBox({ html, onChange, onOpen, onKeyDown }: RichMessageBoxProps) {
  const box = useRef<HTMLElement | null>(null)
  useLayoutEffect(
    () => () => {
      const composer = box.current?.contains(document.activeElement) ? box.current.closest('.composer') : null
      requestAnimationFrame(() => composer?.querySelector('textarea')?.focus())
    },
    [],
  )
  return (
    <RichText
      value={html}
      onChange={(next) => onChange(next ?? '')}
      formats={FORMATS}
      placeholder={t('Write a message')}
      control={{ 'aria-label': t('Message'), onKeyDown }}
      onOpen={(editor, root) => {
        box.current = root
        editor.moveCursorToEnd()
        editor.focus()
        onOpen(richBox(editor, root))
      }}
    />
  )
}

const richBox = (editor: Squire, element: HTMLElement): WritingBox => ({
  element,
  beforeCaret() {
    const { collapsed, startContainer, startOffset } = editor.getSelection()
    if (!collapsed) return null
    return startContainer instanceof Text ? startContainer.data.slice(0, startOffset) : ''
  },
  type(text) {
    editor.insertPlainText(text, false)
    // The editor notifies only its own listeners.
    element.dispatchEvent(new InputEvent('input', { bubbles: true }))
  },
  mention({ id, name }, replaced) {
    const range = editor.getSelection()
    range.setStart(range.startContainer, range.startOffset - replaced)
    editor.setSelection(range)
    editor.insertHTML(`<a data-mention="${id}">${escapeText(`@${name}`)}</a>&nbsp;`)
  },
})
