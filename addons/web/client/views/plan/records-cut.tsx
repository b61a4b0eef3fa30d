import { formatInteger } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { CutNotice } from '../shared/notices.tsx'
import { MAX_RECORDS, type RecordSet } from '../shared/record-set.ts'

/** Says that there are more records than a view without pages shows. */
export const RecordsCut = ({ of: { isCut } }: { readonly of: Pick<RecordSet, 'isCut'> }) =>
  isCut.value ? (
    <CutNotice>
      {t('Only the first {n} records are shown. Narrow the search to see others.', { n: formatInteger(MAX_RECORDS) })}
    </CutNotice>
  ) : null
