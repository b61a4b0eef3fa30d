import { services } from '../../services.ts'
import { showError } from '../../ui/toasts.tsx'

/**
 * Switches to these companies, the first being the current one. The record on screen may not exist there, so the client
 * loads the home page.
 */
export async function switchCompany(ids: readonly number[]): Promise<void> {
  const { transport, router } = services()
  if (!(await router.guards.mayLeave())) return
  try {
    await transport.send('/web/company/switch', {
      method: 'POST',
      body: JSON.stringify({ company_id: ids }),
      repeatable: true,
    })
    location.assign('/web/home')
  } catch (error) {
    showError(error)
  }
}
