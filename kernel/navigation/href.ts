import { linkOrigin } from '../auth/reset.ts'
import type { Env } from '../env.ts'

/** Values of page parameters; those that are undefined or null are left out. */
export type PageParams = Readonly<Record<string, string | number | null | undefined>>

/** `action=5&view_type=list`, in the order given. */
export function pageParams(params: PageParams): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  return search.toString()
}

/** Address of a page of the workspace. */
export const pageHref = (params: PageParams): string => `/web?${pageParams(params)}`

/** The whole address of a record's form, for a mail. */
export const recordLink = ({ services }: Env, model: string, id: number): string =>
  linkOrigin(services) + pageHref({ model, view_type: 'form', id })
