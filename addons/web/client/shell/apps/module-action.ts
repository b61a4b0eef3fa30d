import { CallError } from '../../net/errors.ts'
import { wantsPassword } from '../../net/transport.ts'
import { services } from '../../services.ts'

export type ModuleAction = 'install' | 'uninstall' | 'activate' | 'deactivate' | 'update' | 'preview'

/** Changes a module, or updates several; null when the server asked for the password and it was not given. */
export async function runModuleAction(
  modules: readonly string[],
  action: ModuleAction,
): Promise<{ readonly result: unknown } | null> {
  try {
    const { json } = await services().transport.send('/web/module/action', {
      method: 'POST',
      body: JSON.stringify({ module: modules.join(), action }),
      repeatable: false,
    })
    // The response of an action always has a `result`, which the type of the transport does not express.
    return { result: (json as { readonly result: unknown }).result }
  } catch (error) {
    if (error instanceof CallError && wantsPassword(error)) return null
    throw error
  }
}
