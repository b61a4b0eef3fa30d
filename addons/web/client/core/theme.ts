import { effect, type Signal, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'
export type Density = 'compact' | 'normal' | 'comfortable'

export interface Appearance {
  readonly theme: Signal<Theme>
  readonly density: Signal<Density>
}

interface AppearancePorts {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly root: { readonly dataset: DOMStringMap }
}

/** Names in this browser's storage; the inline script of the page reads them before the first paint. */
export const THEME_KEY = 'modulus.theme'
export const DENSITY_KEY = 'modulus.density'

const THEMES: readonly Theme[] = ['system', 'light', 'dark']
const DENSITIES: readonly Density[] = ['compact', 'normal', 'comfortable']

/** Theme and density as this browser remembers them, kept on the root element for the tokens. */
export function createAppearance({ storage, root }: AppearancePorts): Appearance {
  const theme = signal(recall(storage, THEME_KEY, THEMES, 'system'))
  const density = signal(recall(storage, DENSITY_KEY, DENSITIES, 'normal'))
  effect(() => {
    if (theme.value === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = theme.value
    keep(storage, THEME_KEY, theme.value)
  })
  effect(() => {
    if (density.value === 'normal') delete root.dataset['density']
    else root.dataset['density'] = density.value
    keep(storage, DENSITY_KEY, density.value)
  })
  return { theme, density }
}

function recall<T extends string>(
  storage: AppearancePorts['storage'],
  key: string,
  known: readonly T[],
  fallback: T,
): T {
  try {
    const kept = storage.getItem(key)
    return known.find((each) => each === kept) ?? fallback
  } catch {
    return fallback
  }
}

function keep(storage: AppearancePorts['storage'], key: string, value: string): void {
  try {
    storage.setItem(key, value)
  } catch {
    // Storage may be switched off; the choice then lasts as long as the page.
  }
}

/** Calls `before` when the page is about to be printed and `after` when it was; the result ends this. */
export function whilePrinting(before: () => void, after: () => void): () => void {
  addEventListener('beforeprint', before)
  addEventListener('afterprint', after)
  return () => {
    removeEventListener('beforeprint', before)
    removeEventListener('afterprint', after)
  }
}
