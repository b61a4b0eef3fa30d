import { useEffect, useRef, useState } from 'preact/hooks'
import type { WireField } from '../../../../kernel/view/wire.ts'
import { hotkeys } from '../core/hotkeys.ts'
import { t } from '../core/i18n.ts'
import { Icon, type IconProps } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { showError } from '../ui/toasts.tsx'
import { EXTERNAL_ID, type ExportPath, exportFields, isWanted, pathOf } from './fields.ts'

interface FieldTreeProps {
  readonly model: string
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (column: ExportPath) => void
}

/** Steps that a path may take: lines of lines are rarely meant. */
const MAX_LEVEL = 3

const TYPE_ICONS: Partial<Record<WireField['type'], IconProps['name']>> = {
  integer: 'hash',
  float: 'hash',
  monetary: 'receipt',
  boolean: 'check',
  date: 'calendar',
  datetime: 'clock',
  selection: 'circle',
  many2one: 'link',
  reference: 'link',
  many2many: 'tags',
  one2many: 'list',
  binary: 'paperclip',
  image: 'image',
}

/** Every field as a checkbox; links open to the fields behind them. */
export function FieldTree({ model, chosen, onToggle }: FieldTreeProps) {
  const [wanted, setWanted] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const tree = useRef<HTMLElement>(null)
  useEffect(() => keepOneStop(tree.current!), [])
  useEffect(() => hotkeys.add({ keys: '/', label: t('Find a field'), run: () => box.current?.focus() }), [])
  return (
    <section
      class="xp-left"
      aria-label={t('Fields')}
      ref={tree}
      onKeyDown={step}
      onFocusIn={({ target }) => stopAt(tree.current!, target)}
    >
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          ref={box}
          aria-label={t('Find a field')}
          placeholder={t('Find a field')}
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
        <Kbd keys="/" />
      </div>
      <div class="scroll">
        <Branch model={model} parent={null} level={1} wanted={wanted.trim()} {...{ chosen, onToggle }} />
      </div>
    </section>
  )
}

const BOXES = '[type=checkbox]'

/** All fields are one stop of the Tab key: the one that was used last. */
function stopAt(tree: HTMLElement, target: EventTarget | null): void {
  if (!(target instanceof HTMLElement) || !target.matches(BOXES)) return
  for (const box of tree.querySelectorAll<HTMLElement>(`${BOXES}[tabindex="0"]`)) box.tabIndex = -1
  target.tabIndex = 0
}

/** The first field is the stop whenever the one that was is not shown any more. */
function keepOneStop(tree: HTMLElement): () => void {
  const keep = () => {
    if (tree.querySelector(`${BOXES}[tabindex="0"]`) === null) stopAt(tree, tree.querySelector(BOXES))
  }
  const watch = new MutationObserver(keep)
  watch.observe(tree, { childList: true, subtree: true })
  keep()
  return () => watch.disconnect()
}

/** Up and down go from field to field, right opens the fields behind a link, left closes them or goes to the link itself. */
function step(event: KeyboardEvent): void {
  const { key, currentTarget: tree, target } = event
  if (!(tree instanceof HTMLElement) || !(target instanceof HTMLElement)) return
  const isSearch = target.matches('[type=search]')
  const by = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (by !== undefined) {
    const boxes = [...tree.querySelectorAll<HTMLElement>('[type=search], [type=checkbox]')]
    const at = boxes.findIndex((each) => each === target || each.closest('.tr')?.contains(target))
    event.preventDefault()
    boxes[at + by]?.focus()
  } else if (!isSearch && (key === 'ArrowRight' || key === 'ArrowLeft')) {
    const isRtl = getComputedStyle(tree).direction === 'rtl'
    const opens = (key === 'ArrowRight') !== isRtl
    const twist = target.closest('.tr')?.querySelector<HTMLElement>(`.tw[aria-expanded=${!opens}]`)
    if (twist) twist.click()
    else if (!opens) target.closest('.xp-tree')?.closest('li')?.querySelector<HTMLElement>(BOXES)?.focus()
  }
}

interface BranchProps extends FieldTreeProps {
  readonly parent: ExportPath | null
  readonly level: number
  readonly wanted: string
}

function Branch({ model, parent, level, wanted, chosen, onToggle }: BranchProps) {
  const [fields, setFields] = useState<readonly WireField[] | null>(null)
  useEffect(() => {
    exportFields(model).then(setFields, showError)
  }, [model])
  if (fields === null) return <p class="t3 xp-wait">{t('Loading…')}</p>
  const shown = fields.filter((field) => isWanted(field, wanted))
  if (shown.length === 0) return <p class="t3 xp-wait">{t('No field has this name.')}</p>
  return (
    <ul class="xp-tree" data-level={level}>
      {shown.map((field) => (
        <Twig key={field.name} {...{ field, parent, level, chosen, onToggle }} />
      ))}
    </ul>
  )
}

interface TwigProps extends Omit<BranchProps, 'model' | 'wanted'> {
  readonly field: WireField
}

function Twig({ field, parent, level, chosen, onToggle }: TwigProps) {
  const [isOpen, setOpen] = useState(false)
  const column = pathOf(field, parent)
  const { relation } = field
  const canOpen = relation !== undefined && level < MAX_LEVEL
  return (
    <li>
      <div class="tr">
        {canOpen ? (
          <button
            type="button"
            class="btn icon ghost sm tw"
            tabIndex={-1}
            aria-expanded={isOpen}
            aria-label={t('Fields of {field}', { field: field.label })}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          </button>
        ) : (
          <span class="tw" />
        )}
        <label class="grow">
          <input
            type="checkbox"
            class="check"
            tabIndex={-1}
            checked={chosen.has(column.path)}
            aria-label={column.label}
            onChange={() => onToggle(column)}
          />
          <span class="cut">{field.label}</span>
        </label>
        <Icon name={field.name === EXTERNAL_ID ? 'key-round' : (TYPE_ICONS[field.type] ?? 'type')} class="ty" />
      </div>
      {isOpen && relation !== undefined && (
        <Branch model={relation} parent={column} level={level + 1} wanted="" {...{ chosen, onToggle }} />
      )}
    </li>
  )
}
