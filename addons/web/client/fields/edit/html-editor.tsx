import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import Squire from 'squire-rte'
import { msg, t } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { IconName } from '../../ui/icon-names.ts'
import { Popover } from '../../ui/popover.tsx'
import { cleanFragment, cleanHtml } from '../../ui/sanitize.ts'
import { controlOf, placeholderOf } from '../value/control.ts'
import { contactHref } from '../value/hrefs.ts'
import { textOf } from '../value/values.ts'
import './html-editor.css'

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
  /** Tag in the editor's path while the format is active. */
  readonly tag: string
  readonly on: (editor: Squire) => unknown
  readonly off: (editor: Squire) => unknown
}

const TOOLS: readonly Tool[] = [
  { label: msg('Bold'), icon: 'bold', keys: 'mod+b', tag: 'B', on: (e) => e.bold(), off: (e) => e.removeBold() },
  {
    label: msg('Italic'),
    icon: 'italic',
    keys: 'mod+i',
    tag: 'I',
    on: (e) => e.italic(),
    off: (e) => e.removeItalic(),
  },
  {
    label: msg('Underline'),
    icon: 'underline',
    keys: 'mod+u',
    tag: 'U',
    on: (e) => e.underline(),
    off: (e) => e.removeUnderline(),
  },
  {
    label: msg('Bulleted list'),
    icon: 'list',
    tag: 'UL',
    on: (e) => e.makeUnorderedList(),
    off: (e) => e.removeList(),
  },
  {
    label: msg('Numbered list'),
    icon: 'list-ordered',
    tag: 'OL',
    on: (e) => e.makeOrderedList(),
    off: (e) => e.removeList(),
  },
  {
    label: msg('Quote'),
    icon: 'quote',
    tag: 'BLOCKQUOTE',
    on: (e) => e.increaseQuoteLevel(),
    off: (e) => e.removeQuote(),
  },
]

const emptied = (html: string): string | null =>
  html.replaceAll(/<[^>]*>|&nbsp;|\s/g, '') === '' ? null : cleanHtml(html)

/** A rich text editor. Its HTML is sanitised before it becomes the value, and again by the server. */
export function HtmlEditor(props: FieldProps) {
  const root = useRef<HTMLDivElement>(null)
  const editor = useRef<Squire | null>(null)
  const [path, setPath] = useState<ReadonlySet<string>>(new Set())
  const value = textOf(props.value)
  /**
   * Values sent by the editor that may still come back as props. Only a different value is loaded into the editor, so
   * that the caret does not jump.
   */
  const sent = useRef<string[]>([])
  const change = useRef(props.onChange)
  change.current = props.onChange

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
    made.addEventListener('pathChange', () =>
      setPath(new Set(TOOLS.concat(LINK).flatMap(({ tag }) => (made.hasFormat(tag) ? [tag] : [])))),
    )
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
    <div class={classNames('rte', props.view === 'form' && 'soft')}>
      <div role="toolbar" aria-label={t('Formatting')} onMouseDown={(event) => event.preventDefault()}>
        {TOOLS.map((tool) => (
          <Button
            key={tool.tag}
            label={t(tool.label)}
            icon={tool.icon}
            iconOnly
            kind="ghost"
            size="sm"
            tabIndex={-1}
            pressed={path.has(tool.tag)}
            {...(tool.keys !== undefined && { keys: tool.keys })}
            onClick={() => {
              const { current } = editor
              if (!current) return
              if (path.has(tool.tag)) tool.off(current)
              else tool.on(current)
              current.focus()
            }}
          />
        ))}
        <LinkTool editor={() => editor.current} isOn={path.has('A')} />
      </div>
      {value === '' && placeholderOf(props) !== '' && (
        <span class="hole" aria-hidden="true">
          {placeholderOf(props)}
        </span>
      )}
      <div {...controlOf(props)} ref={root} class="richtext" role="textbox" aria-multiline="true" contentEditable />
    </div>
  )
}

const LINK: Tool = { label: msg('Link'), icon: 'link', tag: 'A', on: () => undefined, off: (e) => e.removeLink() }

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
        label={t(LINK.label)}
        icon={LINK.icon}
        iconOnly
        kind="ghost"
        size="sm"
        tabIndex={-1}
        pressed={isOn}
        buttonRef={anchor}
        onClick={() => {
          if (isOn) LINK.off(editor() as Squire)
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
