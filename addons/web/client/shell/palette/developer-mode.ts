import { services } from '../../services.ts'
import { createRecord, unlinkRecords } from '../../store/queries.ts'
import { showError } from '../../ui/toasts.tsx'

/** Name of the preference, which the server reads to decide on menus. */
const KEY = 'developer'

const preference = () => services().session.bootstrap.preferences.find(({ key }) => key === KEY)

export const isDeveloper = (): boolean => preference() !== undefined

/** Shows or hides parts that only users who adapt the program need. */
export async function toggleDeveloperMode(): Promise<void> {
  const { rpc } = services()
  const known = preference()
  try {
    if (known) await unlinkRecords(rpc, 'sys.preference', [known.id])
    else await createRecord(rpc, 'sys.preference', { key: KEY, value: true })
    // A full page load, because the menus have changed.
    location.reload()
  } catch (error) {
    showError(error)
  }
}
