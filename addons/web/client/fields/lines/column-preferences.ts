import { useState } from 'preact/hooks'
import { services } from '../../services.ts'

type Wishes = Readonly<Record<string, boolean>>

/** Optional columns the user switched. */
export function useWishes(list: string): readonly [Wishes, (column: string, isShown: boolean) => void] {
  const { preferences } = services()
  const key = `lines/${list}`
  const [wishes, setWishes] = useState<Wishes>(() => toWishes(preferences.get(key)))
  const wish = (column: string, isShown: boolean) => {
    const next = { ...wishes, [column]: isShown }
    setWishes(next)
    preferences.set(key, next)
  }
  return [wishes, wish]
}

const toWishes = (kept: unknown): Wishes =>
  typeof kept === 'object' && kept !== null
    ? Object.fromEntries(Object.entries(kept).filter(([, value]) => typeof value === 'boolean'))
    : {}
