import { beforeEach, expect, test, vi } from 'vitest'
import { type ClientServices, provideServices } from '../../addons/web/client/services.ts'
import { createImport } from '../../addons/web/client/views/import/state.ts'

const told: unknown[] = []
vi.mock(import('../../addons/web/client/ui/toasts.tsx'), async (real) => ({
  ...(await real()),
  showError: (error) => void told.push(error),
}))
beforeEach(() => {
  told.length = 0
})

/** An import that has been loaded, and whose next calls of these methods fail. */
async function openFailing(methods: readonly string[]) {
  let isFailing = false
  const call = async (_model: string, method: string) => {
    if (isFailing && methods.includes(method)) throw new Error(method)
    return [{ id: 1 }]
  }
  provideServices({ rpc: { call }, router: {} } as unknown as ClientServices)
  const state = createImport(1)
  await state.load()
  isFailing = true
  return state
}

test.each([
  ['the check and what follows it both fail', ['call', 'read'], ['call']],
  ['only the import cannot be read again', ['read'], ['read']],
])('one trouble is told once: %s', async (_, methods, expected) => {
  const state = await openFailing(methods)
  await state.check()
  expect(told.map((error) => (error as Error).message)).toEqual(expected)
})
