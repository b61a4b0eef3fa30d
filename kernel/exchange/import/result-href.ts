import { safeNext } from '../../http/next.ts'
import { pageHref } from '../../navigation/href.ts'
import type { ImportResult } from './confirm.ts'

/** The page to open after an import: the one it was started from, or the list of the model. The stored address is checked again. */
export const afterImport = ({ next, model }: Pick<ImportResult, 'next' | 'model'>): string =>
  safeNext(next, pageHref({ model, view_type: 'list' }))

/** That page with the counts of a finished import as `msg`. */
export function resultHref(result: ImportResult): string {
  const href = afterImport(result)
  const hash = href.indexOf('#')
  const [page, rest] = hash < 0 ? [href, ''] : [href.slice(0, hash), href.slice(hash)]
  const msg = `msg=imported_${result.created}_updated_${result.updated}_skipped_${result.skipped}`
  return `${page}${page.includes('?') ? '&' : '?'}${msg}${rest}`
}
