import { formatInteger } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import type { LineProps } from '../grid/row.tsx'

/** Row at the end of a group with a button that shows the remaining records. */
export const MoreRow = ({
  view: { model },
  line,
  top,
  level,
  focus,
  path,
  rest,
}: LineProps & { readonly path: string; readonly rest: number }) => (
  <div
    class={focus >= 0 ? 'gr more-row focus' : 'gr more-row'}
    role="row"
    aria-rowindex={line + 2}
    aria-level={level}
    data-line={line}
    style={{ insetBlockStart: `${top}px` }}
  >
    {/* This row has a single cell, which takes the cursor in every column. */}
    <div class="gc" role="gridcell" data-col={Math.max(0, focus)} data-m="title" tabIndex={focus >= 0 ? 0 : -1}>
      <button
        type="button"
        class="btn ghost sm"
        tabIndex={-1}
        onClick={() => {
          model.wholeGroups.value = new Set([...model.wholeGroups.peek(), path])
        }}
      >
        {t('Show {n} more', { n: formatInteger(rest) })}
      </button>
    </div>
  </div>
)
