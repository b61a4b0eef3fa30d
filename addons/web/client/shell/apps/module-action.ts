import { CallError } from '../../net/errors.ts'
import { services } from '../../services.ts'
import { askPassword } from './ask-password.tsx'

export type ModuleAction = 'install' | 'uninstall' | 'activate' | 'deactivate' | 'update' | 'preview'

/**
 * Runs an action on a module. If the server asks to confirm the password first, opens the dialog for it and tries
 * again; null if that was cancelled.
 */
export async function runModuleAction(
  module: string,
  action: ModuleAction,
): Promise<{ readonly result: unknown } | null> {
  const { transport } = services()
  const send = async () => {
    const { json } = await transport.send('/web/module/action', {
      method: 'POST',
      body: JSON.stringify({ module, action }),
      repeatable: false,
    })
    // The response of an action always has a `result`, which the type of the transport does not express.
    return { result: (json as { readonly result: unknown }).result }
  }
  try {
    return await send()
  } catch (error) {
    if (!wantsPassword(error)) throw error
    return (await askPassword()) ? await send() : null
  }
}

const wantsPassword = (error: unknown): boolean =>
  error instanceof CallError && error.status === 403 && typeof error.details['confirm'] === 'string'
