import { useState } from '../../sdk.ts'

type Wishes = Readonly<Record<string, boolean>>

/** Optional columns the user switched, kept in this browser. */
export function useWishes(list: string): readonly [Wishes, (column: string, isShown: boolean) => void] {
  const key = `modulus.lines.${list}`
  const [wishes, setWishes] = useState<Wishes>(() => recall(key))
  const wish = (column: string, isShown: boolean) => {
    const next = { ...wishes, [column]: isShown }
    setWishes(next)
    try {
      localStorage.setItem(key, JSON.stringify(next))
    } catch {
      // Storage may be full or switched off; the wish then lasts as long as the page.
    }
  }
  return [wishes, wish]
}

function recall(key: string): Wishes {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    return Object.fromEntries(Object.entries(kept).filter(([, value]) => typeof value === 'boolean'))
  } catch {
    return {}
  }
}
