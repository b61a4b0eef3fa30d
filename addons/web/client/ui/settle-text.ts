import { t } from '../core/i18n.ts'

/** How an input with suggestions was left: by Enter or Tab, which choose the first match, or by blur. */
export type Leaving = 'enter' | 'tab' | 'blur'

interface Fitting {
  readonly label: string
  /** Whether the option creates something; it is never chosen automatically. */
  readonly isNew?: boolean
}

/** The option a text stands for, given its suggestions; otherwise an error message. */
export function settleText<O extends Fitting>(
  typed: string,
  options: readonly O[],
  leaving: Leaving,
): { readonly option: O } | { readonly problem: string } {
  const text = typed.trim()
  const known = options.filter(({ isNew }) => isNew !== true)
  const same = known.find(({ label }) => label.toLowerCase() === text.toLowerCase())
  const option = same ?? (leaving !== 'blur' || known.length === 1 ? known[0] : undefined)
  if (option) return { option }
  return {
    problem: known.length === 0 ? t('Nothing is called “{text}”.', { text }) : t('Choose one for “{text}”.', { text }),
  }
}
