import { afterEach } from 'vitest'
import { type ClientFixture, type Person, type SignedIn, useClient } from './fixture.ts'

let client: ClientFixture
const opened: SignedIn[] = []

/** A service with example records for the tests of a file; the pages of a test are closed after it. */
export function useForms(): void {
  client = useClient()
  afterEach(async () => {
    for (const signedIn of opened.splice(0)) await signedIn.handOn()
  })
}

export async function open(address: string, person: Person = 'admin', options = {}) {
  const signedIn = await client.signIn(person, options)
  opened.push(signedIn)
  // A page with unsaved changes asks before it is closed or loaded again.
  signedIn.page.on('dialog', (dialog) => void dialog.accept())
  await signedIn.go(address)
  const { page } = signedIn
  const sent: { model: string; method: string; args: unknown[] }[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/rpc')) sent.push(request.postDataJSON())
  })
  return {
    ...signedIn,
    page,
    sent,
    /** The control of a field of the record. */
    field: (label: string) => page.locator('.sheet').getByLabel(label, { exact: true }).first(),
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    writes: () => sent.filter(({ method }) => !['onchange', 'read', 'search_read', 'read_group'].includes(method)),
    saveBar: page.getByRole('region', { name: 'Unsaved changes' }),
    more: async (item: string) => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    },
  }
}

/** Ids and addresses of records of the example data, and what the server has of them. */
export async function find(model: string, domain: unknown[]): Promise<number> {
  const [id] = await client
    .modules()
    .asSystem((env) => env.model(model as 'core.partner').search(domain as never, { limit: 1 }))
  if (id === undefined) throw new Error(`no ${model} like ${JSON.stringify(domain)}`)
  return id as number
}

export const read = async (model: string, id: number, fields: string[]): Promise<Record<string, unknown>> => {
  const [row] = await client
    .modules()
    .asSystem(
      (env) => env.model(model as 'core.partner').read([id], fields as never) as Promise<Record<string, unknown>[]>,
    )
  return row!
}

export const write = (model: string, id: number, values: object) =>
  client.modules().asSystem((env) => env.model(model as 'core.partner').write([id], values as never))

export const create = (model: string, values: object) =>
  client.modules().asSystem((env) => env.model(model as 'core.partner').create(values as never)) as Promise<number>

export const createPartner = (values: object) => create('core.partner', values)

export const partnerForm = (id: number) => `/web?model=core.partner&view_type=form&id=${id}`
