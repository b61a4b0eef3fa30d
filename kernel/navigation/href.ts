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
