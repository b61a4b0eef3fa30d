import { t } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'

export interface CompanyRowsProps {
  readonly companies: readonly { readonly id: number; readonly name: string }[]
  readonly companyIds: readonly number[]
  /** The default company of the user. */
  readonly companyId: number | null
  readonly onChange: (part: { readonly companyIds: readonly number[]; readonly companyId: number | null }) => void
}

/** The companies a user works in; one of them is the default. */
export const CompanyRows = ({ companies, companyIds, companyId, onChange }: CompanyRowsProps) => (
  <ul class="cos">
    {companies.map(({ id, name }) => {
      const isIn = companyIds.includes(id)
      const toggle = () => {
        const next = isIn ? companyIds.filter((each) => each !== id) : [...companyIds, id]
        onChange({ companyIds: next, companyId })
      }
      return (
        <li key={id}>
          <label class="opt">
            {/* The default company cannot be removed; another one must be made the default first. */}
            <input type="checkbox" class="check" checked={isIn} disabled={id === companyId} onChange={toggle} />
            <span>{name}</span>
          </label>
          {id === companyId ? (
            <span class="badge">{t('Own company')}</span>
          ) : (
            isIn && (
              <Button
                label={t('Make own')}
                kind="ghost"
                size="sm"
                onClick={({ currentTarget }) => {
                  const list = (currentTarget as HTMLElement).closest('.cos')
                  onChange({ companyIds, companyId: id })
                  // This button disappears, and another company gets one.
                  requestAnimationFrame(() => list?.querySelector('button')?.focus())
                }}
              />
            )
          )}
        </li>
      )
    })}
  </ul>
)
