import { services } from '../../../services.ts'

const KEY = 'dashboard.home'

/** The dashboard the user has chosen as home page; null for the usual home page. */
export function homeDashboard(): number | null {
  const id = services().preferences.get(KEY)
  return typeof id === 'number' ? id : null
}

export const setHomeDashboard = (id: number | null): void => services().preferences.set(KEY, id)
