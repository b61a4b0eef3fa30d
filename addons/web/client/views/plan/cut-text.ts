import { formatInteger } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { MAX_RECORDS } from '../shared/record-set.ts'

export const cutText = (): string =>
  t('Only the first {n} records are shown. Narrow the search to see others.', { n: formatInteger(MAX_RECORDS) })
