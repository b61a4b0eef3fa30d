import { services } from '../../services.ts'
import { recentRecords } from './recent.ts'

const MAX_USED = 100

const keyOf = (): string => `modulus.used.${services().session.bootstrap.user.id}`

/** When each entry was chosen last, and each record opened, by key. Kept in this browser only. */
export function useTimes(): ReadonlyMap<string, number> {
  const opened = recentRecords.value.map(({ model, id, at }) => [`${model} ${id}`, Date.parse(at)] as const)
  return new Map([...opened, ...recall()])
}

/** Records that an entry was chosen. */
export function noteUse(key: string): void {
  const others = recall().filter(([each]) => each !== key)
  try {
    localStorage.setItem(keyOf(), JSON.stringify([[key, Date.now()], ...others].slice(0, MAX_USED)))
  } catch {
    // Storage may be disabled; entries are then ranked by their match alone.
  }
}

function recall(): readonly (readonly [key: string, at: number])[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf()) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isUse) : []
  } catch {
    return []
  }
}

const isUse = (entry: unknown): entry is readonly [string, number] =>
  Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number'
