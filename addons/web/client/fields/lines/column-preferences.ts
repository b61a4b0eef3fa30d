import { useState } from 'preact/hooks'
import { services } from '../../services.ts'

type ShownColumns = Readonly<Record<string, boolean>>

/** Optional columns the user has shown or hidden. */
export function useColumnPreferences(
  list: string,
): readonly [ShownColumns, (column: string, isShown: boolean) => void] {
  const { preferences } = services()
  const key = `lines/${list}`
  const [choices, setChoices] = useState<ShownColumns>(() => parseShownColumns(preferences.get(key)))
  const choose = (column: string, isShown: boolean) => {
    const next = { ...choices, [column]: isShown }
    setChoices(next)
    preferences.set(key, next)
  }
  return [choices, choose]
}

const parseShownColumns = (kept: unknown): ShownColumns =>
  typeof kept === 'object' && kept !== null
    ? Object.fromEntries(Object.entries(kept).filter(([, value]) => typeof value === 'boolean'))
    : {}
