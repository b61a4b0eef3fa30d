import type { Operation } from '../../../../../../kernel/access/tables.ts'
import type { WireAccessMatrix, WireAccessRow, WireRight } from '../../../../../../kernel/admin/wire-access.ts'
import { t } from '../../../core/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { ScrollBox } from '../../../ui/scroll-box.tsx'
import { OPERATIONS, operationLabel, sourcesOf } from './groups.ts'

/** Models by rights, where each right comes from, and which records it covers. */
export const Matrix = ({ matrix }: { readonly matrix: WireAccessMatrix }) => (
  <>
    <ScrollBox class="scroll-x" label={t('Rights per model')}>
      <table class="tbl amx">
        <thead>
          <tr>
            <th scope="col">{t('Model')}</th>
            {OPERATIONS.map((operation) => (
              <th scope="col" class="rt" key={operation}>
                {operationLabel(operation)}
              </th>
            ))}
            <th scope="col">{t('Comes from')}</th>
            <th scope="col">{t('Which records')}</th>
          </tr>
        </thead>
        <tbody>
          {matrix.rows
            .filter(({ rights }) => OPERATIONS.some((operation) => rights[operation].allowed))
            .map((row) => (
              <Row key={row.model} row={row} matrix={matrix} />
            ))}
        </tbody>
      </table>
    </ScrollBox>
    <footer class="legendbar fs12 t3">
      <span class="hs own">
        <Icon name="st-sale" />
        {t('given by a role of its own')}
      </span>
      <span class="hs via">
        <Icon name="check" />
        {t('through a role that is included')}
      </span>
      <span class="hs">
        <Icon name="minus" />
        {t('not given')}
      </span>
      <span class="end">{t('Rights add up; nothing takes one away. Models without any right are left out.')}</span>
    </footer>
  </>
)

function Row({ row, matrix }: { readonly row: WireAccessRow; readonly matrix: WireAccessMatrix }) {
  const given = OPERATIONS.map((operation) => row.rights[operation]).filter(({ allowed }) => allowed)
  const { own, included } = sourcesOf(matrix, given)
  const rules = [...new Set(given.flatMap((right) => right.rules.map(({ name }) => name)))]
  return (
    <tr>
      <th scope="row">
        <span class="two">
          <span class="med">{row.label}</span>
          <code class="mono t3">{row.model}</code>
        </span>
      </th>
      {OPERATIONS.map((operation) => (
        <td class="rt" key={operation}>
          <Mark operation={operation} right={row.rights[operation]} directIds={matrix.directIds} />
        </td>
      ))}
      <td class="src" data-label={t('Comes from')}>
        {own.map((name) => (
          <span class="srcl" key={name}>
            {name}
          </span>
        ))}
        {included.map((name) => (
          <span class="srcl via" key={name}>
            <Icon name="check" />
            {name}
          </span>
        ))}
      </td>
      <td class="t2 rec" data-label={t('Which records')}>
        {(rules.length === 0 ? [t('All')] : rules).map((rule) => (
          <span key={rule}>{rule}</span>
        ))}
      </td>
    </tr>
  )
}

interface MarkProps {
  readonly operation: Operation
  readonly right: WireRight
  readonly directIds: readonly number[]
}

function Mark({ operation, right, directIds }: MarkProps) {
  const what = operationLabel(operation)
  if (!right.allowed)
    return (
      <span class="no" role="img" aria-label={t('{right}: no', { right: what })}>
        <Icon name="minus" />
      </span>
    )
  const isOwn = right.groupIds.some((id) => id !== null && directIds.includes(id))
  return (
    <span
      class={isOwn ? 'own' : 'via'}
      role="img"
      aria-label={
        isOwn ? t('{right}: yes', { right: what }) : t('{right}: yes, through an included role', { right: what })
      }
    >
      <Icon name={isOwn ? 'st-sale' : 'check'} />
    </span>
  )
}
