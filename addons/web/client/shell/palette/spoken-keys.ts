import { capsOf } from '../../core/hotkeys.ts'
import { msg, t } from '../../core/i18n.ts'

/** Names of keys whose caps are signs. */
const SPOKEN: Readonly<Record<string, string>> = {
  shift: msg('Shift'),
  enter: msg('Enter'),
  arrowup: msg('Arrow up'),
  arrowdown: msg('Arrow down'),
  arrowleft: msg('Arrow left'),
  arrowright: msg('Arrow right'),
  backspace: msg('Backspace'),
  space: msg('Space'),
  '/': msg('Slash'),
  '?': msg('Question mark'),
}

/** A combination in words, for screen readers: `Ctrl K`, `Alt Arrow down`. */
export const spokenKeys = (keys: string): string =>
  keys
    .split(/[ +]/)
    .map((part) => (SPOKEN[part] === undefined ? capsOf(part).join(' ') : t(SPOKEN[part])))
    .join(' ')
