import { safeNext } from '../../http/next.ts'
import { pageHref } from '../../navigation/href.ts'
import type { ImportResult } from './confirm.ts'

/** Where an import leads: the page it came from, or the list of what was imported. The stored address is checked once more. */
export const afterImport = ({ next, model }: Pick<ImportResult, 'next' | 'model'>): string =>
  safeNext(next, pageHref({ model, view_type: 'list' }))

/** The same with the counts of a finished import as `msg`. */
export function resultHref(result: ImportResult): string {
  const href = afterImport(result)
  const hash = href.indexOf('#')
  const [page, rest] = hash < 0 ? [href, ''] : [href.slice(0, hash), href.slice(hash)]
  const msg = `msg=imported_${result.created}_updated_${result.updated}_skipped_${result.skipped}`
  return `${page}${page.includes('?') ? '&' : '?'}${msg}${rest}`
}
