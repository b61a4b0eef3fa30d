import { t } from '../core/i18n.ts'

/** How a text with suggestions was left: by Enter or Tab, which take the first that fits, or by going elsewhere. */
export type Leaving = 'enter' | 'tab' | 'blur'

interface Fitting {
  readonly label: string
  /** Makes something new: never chosen unasked. */
  readonly isNew?: boolean
}

/** What a text stands for once its suggestions are known; otherwise what is wrong with it. */
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
