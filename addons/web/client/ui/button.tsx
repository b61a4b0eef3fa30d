import type { ComponentChildren, Ref } from 'preact'
import { ariaKeys } from '../core/hotkeys.ts'
import { classNames } from './class-names.ts'
import { Icon, type IconProps } from './icon.tsx'
import { Kbd } from './kbd.tsx'

export interface ButtonProps {
  /** The accessible name; also the visible text unless `iconOnly`. */
  readonly label: string
  readonly icon?: IconProps['name']
  readonly iconOnly?: boolean
  /** One `primary` per region; `warn` offers a destructive action, `danger` confirms it. */
  readonly kind?: 'primary' | 'ghost' | 'warn' | 'danger'
  readonly size?: 'sm' | 'lg'
  readonly class?: string
  /** Shortcut to display and to expose to screen readers. The caller registers it. */
  readonly keys?: string
  readonly isBusy?: boolean
  readonly disabled?: boolean
  readonly pressed?: boolean
  readonly expanded?: boolean
  readonly hasPopup?: 'menu' | 'listbox' | 'dialog'
  readonly controls?: string
  readonly id?: string
  readonly type?: 'button' | 'submit'
  /** Id of the form to submit, for a button outside of it. */
  readonly form?: string
  /** Renders the button as a link. */
  readonly href?: string
  /** Whether the link leaves the application and opens in a new tab. */
  readonly isOutside?: boolean
  readonly tabIndex?: number
  readonly buttonRef?: Ref<HTMLButtonElement>
  readonly onClick?: (event: MouseEvent) => void
  /** Content after the label, such as a count or a chevron. */
  readonly children?: ComponentChildren
}

export function Button(props: ButtonProps) {
  const { label, icon, iconOnly = false, kind, size, keys, isBusy = false } = props
  const shown = {
    class: classNames('btn', kind === 'warn' && iconOnly && 'ghost', kind, size, iconOnly && 'icon', props.class),
    ...(iconOnly && { 'aria-label': label, 'data-tip': label, ...(keys !== undefined && { 'data-tip-keys': keys }) }),
    ...(keys !== undefined && { 'aria-keyshortcuts': ariaKeys(keys) }),
    ...(props.id !== undefined && { id: props.id }),
    ...(props.tabIndex !== undefined && { tabIndex: props.tabIndex }),
    ...(props.onClick && { onClick: props.onClick }),
  }
  const content = (
    <>
      {isBusy ? <span class="spin" aria-hidden="true" /> : icon !== undefined && <Icon name={icon} />}
      {!iconOnly && <span class="lbl">{label}</span>}
      {props.children}
      {!iconOnly && keys !== undefined && <Kbd keys={keys} />}
    </>
  )
  if (props.href !== undefined) {
    return (
      <a
        {...shown}
        href={props.href}
        {...(props.isOutside && { target: '_blank', rel: 'noopener noreferrer' })}
        {...(props.pressed && { 'aria-current': 'page' })}
      >
        {content}
      </a>
    )
  }
  return (
    <button
      {...shown}
      type={props.type ?? 'button'}
      {...(props.form !== undefined && { form: props.form })}
      disabled={props.disabled ?? false}
      {...(isBusy && { 'aria-busy': true })}
      {...(props.pressed !== undefined && { 'aria-pressed': props.pressed })}
      {...(props.expanded !== undefined && { 'aria-expanded': props.expanded })}
      {...(props.hasPopup !== undefined && { 'aria-haspopup': props.hasPopup })}
      {...(props.controls !== undefined && { 'aria-controls': props.controls })}
      ref={props.buttonRef ?? null}
    >
      {content}
    </button>
  )
}
