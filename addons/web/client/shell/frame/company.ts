import { services } from '../../services.ts'
import { showError } from '../../ui/toasts.tsx'

/** Works in these companies from now on, the first being the current one. What is on screen may not exist there, so the client starts again at home. */
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
