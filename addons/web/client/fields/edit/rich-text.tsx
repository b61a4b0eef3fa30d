import type { HTMLAttributes } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import Squire from 'squire-rte'
import { msg, t } from '../../core/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { IconName } from '../../ui/icon-names.ts'
import { Popover } from '../../ui/popover.tsx'
import { cleanFragment, cleanHtml } from '../../ui/sanitize.ts'
import { contactHref } from '../value/hrefs.ts'
import './rich-text.css'

/**
 * On undo Squire assigns a string to `innerHTML`, which Trusted Types forbid; this override inserts sanitised nodes
 * instead.
 */
class Editor extends Squire {
  override _setRawHTML(html: string): Squire {
    this._root.replaceChildren(cleanFragment(html, true))
    if (!this._root.firstChild) this._root.append(this.createDefaultBlock())
    this._ignoreChange = true
    return this
  }
}

interface Tool {
  readonly label: string
  readonly icon: IconName
  readonly keys?: string
  readonly on: (editor: Squire) => unknown
  readonly off: (editor: Squire) => unknown
}

/** The formats by their tag, which is in the path of the editor while the format is active. */
const TOOLS = {
  B: { label: msg('Bold'), icon: 'bold', keys: 'mod+b', on: (e) => e.bold(), off: (e) => e.removeBold() },
  I: { label: msg('Italic'), icon: 'italic', keys: 'mod+i', on: (e) => e.italic(), off: (e) => e.removeItalic() },
  U: {
    label: msg('Underline'),
    icon: 'underline',
    keys: 'mod+u',
    on: (e) => e.underline(),
    off: (e) => e.removeUnderline(),
  },
  UL: { label: msg('Bulleted list'), icon: 'list', on: (e) => e.makeUnorderedList(), off: (e) => e.removeList() },
  OL: { label: msg('Numbered list'), icon: 'list-ordered', on: (e) => e.makeOrderedList(), off: (e) => e.removeList() },
  BLOCKQUOTE: {
    label: msg('Quote'),
    icon: 'quote',
    on: (e) => e.increaseQuoteLevel(),
    off: (e) => e.removeQuote(),
  },
} as const satisfies Readonly<Record<string, Tool>>

export type Format = keyof typeof TOOLS

const emptied = (html: string): string | null =>
  html.replaceAll(/<[^>]*>|&nbsp;|\s/g, '') === '' ? null : cleanHtml(html)

export interface RichTextProps {
  /** HTML; empty for nothing. */
  readonly value: string
  /** Called with sanitised HTML, or null when nothing is left. */
  readonly onChange: (html: string | null) => void
  readonly formats: readonly Format[]
  readonly placeholder: string
  /** Attributes of the text box that name and describe it. */
  readonly control: HTMLAttributes<HTMLDivElement>
  readonly class?: string
  /** Called with the editor and its text box as soon as they are there. */
  readonly onOpen?: (editor: Squire, root: HTMLElement) => void
}

/** A rich text editor with a bar of formats. */
export function RichText({ value, onChange, formats, placeholder, control, class: className, onOpen }: RichTextProps) {
  const root = useRef<HTMLDivElement>(null)
  const editor = useRef<Squire | null>(null)
  const [path, setPath] = useState<ReadonlySet<string>>(new Set())
  /**
   * Values sent by the editor that may still come back as props. Only a different value is loaded into the editor, so
   * that the caret does not jump.
   */
  const sent = useRef<string[]>([])
  const change = useRef(onChange)
  change.current = onChange

  useLayoutEffect(() => {
    if (!root.current) return
    const made = new Editor(root.current, {
      blockTag: 'P',
      sanitizeToDOMFragment: (html: string) => cleanFragment(html),
    })
    editor.current = made
    made.setHTML(value)
    sent.current = [value]
    made.addEventListener('input', () => {
      const html = emptied(made.getHTML())
      sent.current.push(html ?? '')
      change.current(html)
    })
    made.addEventListener('pathChange', () => setPath(new Set([...formats, 'A'].filter((tag) => made.hasFormat(tag)))))
    onOpen?.(made, root.current)
    return () => {
      editor.current = null
      made.destroy()
    }
  }, [])

  useEffect(() => {
    const at = sent.current.lastIndexOf(value)
    if (at < 0) editor.current?.setHTML(value)
    sent.current = at < 0 ? [value] : sent.current.slice(at)
  }, [value])

  return (
    <div class={classNames('rte', className)}>
      <div role="toolbar" aria-label={t('Formatting')} onMouseDown={(event) => event.preventDefault()}>
        {formats.map((format) => {
          const tool: Tool = TOOLS[format]
          const isOn = path.has(format)
          return (
            <Button
              key={format}
              label={t(tool.label)}
              icon={tool.icon}
              iconOnly
              kind="ghost"
              size="sm"
              tabIndex={-1}
              pressed={isOn}
              {...(tool.keys !== undefined && { keys: tool.keys })}
              onClick={() => {
                const { current } = editor
                if (!current) return
                if (isOn) tool.off(current)
                else tool.on(current)
                current.focus()
              }}
            />
          )
        })}
        <LinkTool editor={() => editor.current} isOn={path.has('A')} />
      </div>
      {value === '' && placeholder !== '' && (
        <span class="hole" aria-hidden="true">
          {placeholder}
        </span>
      )}
      <div {...control} ref={root} class="richtext" role="textbox" aria-multiline="true" contentEditable />
    </div>
  )
}

interface LinkToolProps {
  readonly editor: () => Squire | null
  readonly isOn: boolean
}

/** Turns the selection into a link, or removes the link at the caret. */
function LinkTool({ editor, isOn }: LinkToolProps) {
  const anchor = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [address, setAddress] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [isOpen])
  const href = contactHref.url(address.trim()) ?? contactHref.email(address.trim())
  const finish = () => {
    setOpen(false)
    setAddress('')
    editor()?.focus()
  }
  return (
    <>
      <Button
        label={t('Link')}
        icon="link"
        iconOnly
        kind="ghost"
        size="sm"
        tabIndex={-1}
        pressed={isOn}
        buttonRef={anchor}
        onClick={() => {
          if (isOn) editor()?.removeLink()
          else setOpen(true)
        }}
      />
      {isOpen && (
        <Popover anchor={anchor} role="dialog" label={t('Link')} onClose={finish}>
          <form
            class="linkform"
            onMouseDown={(event) => event.stopPropagation()}
            onSubmit={(event) => {
              event.preventDefault()
              if (href === null) return
              editor()?.makeLink(href)
              finish()
            }}
          >
            <input
              class="input"
              aria-label={t('Address of the link')}
              placeholder="https://"
              ref={input}
              value={address}
              onInput={({ currentTarget }) => setAddress(currentTarget.value)}
            />
            <Button label={t('Apply')} type="submit" kind="primary" disabled={href === null} />
          </form>
        </Popover>
      )}
    </>
  )
}
