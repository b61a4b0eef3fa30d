import { t } from '../../../core/i18n.ts'
import { CutNotice } from '../notices.tsx'

/** Says that there is more than a tile shows. */
export const TileCut = ({ when }: { readonly when: boolean | undefined }) =>
  when ? <CutNotice>{t('Not everything is shown here. Open the view to see more.')}</CutNotice> : null
