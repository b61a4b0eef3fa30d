import type { ComponentChildren } from 'preact'
import { t } from '../../../core/i18n.ts'
import { ScrollBox } from '../../../ui/scroll-box.tsx'
import { RIGHTS, rightLabel } from './scope.ts'

export interface RightsTableProps {
  /** Its rows. */
  readonly children: ComponentChildren
  /** Notes below the table. */
  readonly notes?: ComponentChildren
}

/** Models by the rights of a key. */
export const RightsTable = ({ children, notes }: RightsTableProps) => (
  <ScrollBox class="scopescroll" label={t('Models and rights')}>
    <table class="tbl scope">
      <thead>
        <tr>
          <th scope="col">{t('Model')}</th>
          {RIGHTS.map((right) => (
            <th scope="col" class="rt" key={right}>
              {rightLabel(right)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
    {notes}
  </ScrollBox>
)
