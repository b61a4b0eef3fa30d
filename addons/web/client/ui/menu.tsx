import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ariaKeys } from '../core/hotkeys.ts'
import { Button, type ButtonProps } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon, type IconProps } from './icon.tsx'
import { Kbd } from './kbd.tsx'
import type { Align } from './place-floating.ts'
import { Popover } from './popover.tsx'

export interface MenuItem {
  readonly label: string
  readonly icon?: IconProps['name']
  /** Secondary text at the end of the item. */
  readonly note?: string
  readonly keys?: string
  readonly href?: string
  readonly isDanger?: boolean
  readonly disabled?: boolean
  /** Makes the item a checkbox; the menu stays open. */
  readonly checked?: boolean
  /** Makes the item one of several of which one is chosen; the menu closes. */
  readonly isChosen?: boolean
  /** Makes the item a heading that opens and closes the nested items after it; the menu stays open. */
  readonly expanded?: boolean
  /** Whether the item belongs to the heading above it. */
  readonly isNested?: boolean
  /** Whether there is a separator above it. */
  readonly isSeparated?: boolean
  /** Text of a heading above it. */
  readonly heading?: string
  readonly run?: () => void
}

export interface MenuProps {
  readonly items: readonly MenuItem[]
  readonly label: string
  readonly anchor: { readonly current: HTMLElement | null }
  readonly align?: Align
  readonly onClose: () => void
}

/**
 * An open menu. Arrow keys, Home, End and first letters move, Enter runs the item, and Escape returns the focus to the
 * button.
 */
export function Menu({ items, label, anchor, align = 'start', onClose }: MenuProps) {
  const list = useRef<HTMLDivElement>(null)
  const itemsOf = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]

  useLayoutEffect(() => itemsOf()[0]?.focus(), [])

  const close = () => {
    onClose()
    anchor.current?.focus()
  }

  function move(event: KeyboardEvent): void {
    const all = itemsOf()
    const at = all.findIndex((item) => item.matches(':focus'))
    const next = nextIndex(event.key, at, all.length) ?? letterIndex(event, all, at)
    if (next !== null) {
      event.preventDefault()
      event.stopPropagation()
      all[next]?.focus()
    } else if (event.key === 'Tab' || event.key === 'Escape') {
      event.preventDefault()
      close()
    }
  }

  return (
    <Popover anchor={anchor} align={align} isSteady onClose={onClose}>
      <div class="menu" role="menu" aria-label={label} ref={list} onKeyDown={move}>
        {items.map((item) => (
          <Item key={`${item.heading ?? ''}${item.label}`} item={item} onDone={close} />
        ))}
      </div>
    </Popover>
  )
}

function Item({ item, onDone }: { readonly item: MenuItem; readonly onDone: () => void }) {
  const isOn = item.checked ?? item.isChosen
  const shown = {
    class: classNames('mi', item.isDanger && 'warn', item.isNested && 'nested'),
    tabIndex: -1,
    role: roleOf(item),
    ...(isOn !== undefined && { 'aria-checked': isOn }),
    ...(item.expanded !== undefined && { 'aria-expanded': item.expanded }),
    ...(item.keys !== undefined && { 'aria-keyshortcuts': ariaKeys(item.keys) }),
    ...(item.disabled && { 'aria-disabled': true }),
  }
  const choose = () => {
    if (item.disabled) return
    if (item.checked === undefined && item.expanded === undefined) onDone()
    item.run?.()
  }
  const icon = isOn ? 'check' : item.icon
  const content = (
    <>
      {icon !== undefined ? <Icon name={icon} /> : isOn !== undefined && <span class="i" />}
      <span class="cut">{item.label}</span>
      {(item.note !== undefined || item.keys !== undefined) && (
        <span class="end">
          {item.note}
          {item.keys !== undefined && <Kbd keys={item.keys} />}
        </span>
      )}
      {item.expanded !== undefined && <Icon name={item.expanded ? 'chevron-down' : 'chevron-right'} size="s" />}
    </>
  )
  return (
    <>
      {item.isSeparated && <hr />}
      {item.heading !== undefined && (
        <div class="h" role="presentation">
          {item.heading}
        </div>
      )}
      {item.href === undefined ? (
        <button type="button" {...shown} onClick={choose}>
          {content}
        </button>
      ) : (
        <a {...shown} href={item.href} onClick={choose}>
          {content}
        </a>
      )}
    </>
  )
}

function roleOf({ checked, isChosen }: MenuItem): 'menuitem' | 'menuitemcheckbox' | 'menuitemradio' {
  if (checked !== undefined) return 'menuitemcheckbox'
  return isChosen === undefined ? 'menuitem' : 'menuitemradio'
}

/** The next index for an arrow key, Home or End; null for other keys. */
export function nextIndex(key: string, at: number, count: number): number | null {
  if (count === 0) return null
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at <= 0 ? count : at) - 1
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

function letterIndex(event: KeyboardEvent, items: readonly HTMLElement[], at: number): number | null {
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return null
  const letter = event.key.toLowerCase()
  const order = items.map((_, index) => (at + 1 + index) % items.length)
  return order.find((index) => items[index]?.textContent?.trim().toLowerCase().startsWith(letter)) ?? null
}

export interface MenuButtonProps
  extends Omit<ButtonProps, 'onClick' | 'hasPopup' | 'expanded' | 'controls' | 'buttonRef'> {
  /** Called while the menu is open, so that its checkboxes say what was chosen. */
  readonly items: () => readonly MenuItem[]
  readonly align?: Align
}

/** A button that opens a menu. */
export function MenuButton({ items, align, ...button }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const id = useId()
  return (
    <>
      <Button
        {...button}
        id={button.id ?? id}
        hasPopup="menu"
        expanded={isOpen}
        buttonRef={anchor}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Menu
          items={items()}
          label={button.label}
          anchor={anchor}
          {...(align !== undefined && { align })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
