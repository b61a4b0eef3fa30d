import { normalForm } from '../../../model/normal-form.ts'
import { withSlashes } from '../column/column.ts'

/** Letters and digits alone: `E-Mail`, `e_mail` and `email` are the same name, and so are `line_ids.name` and `line_ids/name`. */
export const headerName = (name: string): string =>
  normalForm(withSlashes(name), 'NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}/.]/gu, '')

/** Names of columns are recognised in these languages and that of the user. */
const LANGUAGES = ['en', 'de']

export const headerLanguages = (own: string): readonly string[] => [...new Set([own, ...LANGUAGES])]
