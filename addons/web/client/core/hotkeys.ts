import { msg, t } from './i18n.ts'

/** Keys that run something. The latest registration wins. */
export interface Hotkey {
  /** `mod+s`, `shift+?`, `escape`, `g h` (one after the other). `mod` is Ctrl, or Command on a Mac. */
  readonly keys: string
  readonly label: string
  /** Heading in the overview of shortcuts. */
  readonly group?: string
  /** Also while a text is being typed; keys with `mod` and Escape always are. */
  readonly inEditor?: boolean
  /** False passes the key on. */
  run(event: KeyboardEvent): unknown
}

export interface Hotkeys {
  add(hotkey: Hotkey): () => void
  /** All active keys, for the overview of shortcuts; overridden ones are left out. */
  list(): readonly Hotkey[]
  /** Until the returned function is called only keys added since then work: a dialog is open. */
  enterLayer(): () => void
  handle(event: KeyboardEvent): void
}

/** Keys of the browser, which are not overridden: reload, tabs, address, zoom, close, print preview's system keys. */
const LEFT_ALONE = /^(mod\+([rtwlnq0=-]|shift\+r)|f5)$/
const SEQUENCE_MS = 900

export function createHotkeys(now: () => number = () => performance.now()): Hotkeys {
  const layers: Hotkey[][] = [[]]
  let before: { readonly key: string; readonly at: number } | null = null

  return {
    add(hotkey) {
      if (LEFT_ALONE.test(hotkey.keys)) throw new Error(`${hotkey.keys} belongs to the browser`)
      const layer = layers.at(-1)!
      layer.push(hotkey)
      return () => {
        const at = layer.indexOf(hotkey)
        if (at >= 0) layer.splice(at, 1)
      }
    },
    enterLayer() {
      const layer: Hotkey[] = []
      layers.push(layer)
      return () => {
        const at = layers.indexOf(layer)
        if (at >= 0) layers.splice(at, 1)
      }
    },
    list() {
      const seen = new Set<string>()
      return layers
        .at(-1)!
        .toReversed()
        .filter(({ keys }) => !seen.has(keys) && seen.add(keys))
        .reverse()
    },
    handle(event) {
      if (event.defaultPrevented || event.isComposing || event.key === 'Dead') return
      const pressed = hotkeyOf(event)
      if (pressed === null || LEFT_ALONE.test(pressed)) return
      const isTyping = isEditor(event.target)
      const sequence = before && now() - before.at < SEQUENCE_MS ? `${before.key} ${pressed}` : null
      before = isTyping ? null : { key: pressed, at: now() }
      for (const hotkey of layers.at(-1)!.toReversed()) {
        if (hotkey.keys !== pressed && hotkey.keys !== sequence) continue
        if (isTyping && !hotkey.inEditor && !pressed.startsWith('mod+') && pressed !== 'escape') continue
        if (hotkey.run(event) === false) continue
        event.preventDefault()
        before = null
        return
      }
    },
  }
}

/** The keys of the page. */
export const hotkeys = createHotkeys()

const MODIFIERS = new Set(['Control', 'Shift', 'Alt', 'Meta'])

/** `mod+shift+k`; null for a modifier alone. Shift is left out where it makes the character: `?`, `!`. */
export function hotkeyOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): string | null {
  const { key } = event
  if (MODIFIERS.has(key)) return null
  const name = key === ' ' ? 'space' : key.toLowerCase()
  const isSymbol = key.length === 1 && key.toLowerCase() === key.toUpperCase()
  const parts = [
    event.ctrlKey || event.metaKey ? 'mod' : null,
    event.altKey ? 'alt' : null,
    event.shiftKey && !isSymbol ? 'shift' : null,
    name,
  ]
  return parts.filter((part) => part !== null).join('+')
}

/** Whether keys type text into the target. */
export function isEditor(target: EventTarget | null): target is HTMLElement {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return (
    target instanceof HTMLInputElement &&
    !['checkbox', 'radio', 'button', 'submit', 'range', 'file'].includes(target.type)
  )
}

/** Whether no control has the focus; right after a view was opened it is on the main part of the page. */
export const isFocusNowhere = (): boolean =>
  document.activeElement?.closest('button, a, input, select, textarea, [role="gridcell"]') == null

const isMac = (): boolean => /Mac|iP(hone|ad)/.test(navigator.platform)

const CAPS: Readonly<Record<string, string>> = {
  shift: '⇧',
  escape: 'Esc',
  enter: '↵',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  backspace: '⌫',
  delete: msg('Del'),
  space: '␣',
}

/** Key caps of a combination: `['Ctrl', 'K']`. */
export const capsOf = (keys: string, mac: boolean = isMac()): readonly string[] =>
  keys
    .split(/[ +]/)
    .map((part) =>
      part === 'mod'
        ? mac
          ? '⌘'
          : t('Ctrl')
        : part === 'alt'
          ? mac
            ? '⌥'
            : 'Alt'
          : t(CAPS[part] ?? part.toUpperCase()),
    )

/** The keys for `aria-keyshortcuts`. */
export const ariaKeys = (keys: string): string =>
  keys
    .split(' ')
    .map((step) =>
      step
        .split('+')
        .map((part) =>
          part === 'mod' ? 'Control' : part.length === 1 ? part.toUpperCase() : part[0]!.toUpperCase() + part.slice(1),
        )
        .join('+'),
    )
    .join(' ')

/** Removes the focus from a text input; false if the target is none. */
export function blurEditor(target: EventTarget | null): boolean {
  if (!isEditor(target)) return false
  target.blur()
  return true
}
