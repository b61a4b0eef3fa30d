import type { Env } from '../../env.ts'
import { accessDenied, invalid } from '../../errors.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { sql } from '../../sql/sql.ts'
import { columnOf, fromTable, modelOf, rootScope } from './scope.ts'
import type { ParsedValues } from './values.ts'

/** Throws unless every company in the values is one the caller belongs to. */
export function requireCompanies(env: Env, model: Model, records: readonly ParsedValues[]): void {
  if (env.isSudo || !model.hasCompany) return
  for (const { columns } of records) {
    const company = columns.get('company_id')
    if (typeof company === 'number' && !env.user.allowedCompanyIds.includes(company)) {
      throw accessDenied('company_access', 'You do not belong to this company.')
    }
  }
}

/** Throws on links between records of different companies; records without a company may be linked from anywhere. */
export async function checkCompanies(
  env: Env,
  model: Model,
  ids: readonly number[],
  changed: ReadonlySet<string>,
): Promise<void> {
  const fields = companyFields(env, model, changed)
  if (fields.length === 0) return
  const scope = rootScope(env, model)
  const parts = fields.map(
    (field) => sql`
      select ${field.name} as field from ${fromTable(scope)}
      join ${sql.table(modelOf(env, field.relation!.target).table)} as r on r.id = ${columnOf(scope, field.column!)}
      where ${columnOf(scope, 'id')} = any(${ids}::int[]) and r.company_id <> ${columnOf(scope, 'company_id')}`,
  )
  const { rows } = await sql<{ field: string }>`${sql.join(parts, sql` union `)}`.execute(env.tx)
  if (rows.length === 0) return
  const problem = env.t('Belongs to another company.')
  throw invalid('company_mismatch', Object.fromEntries(rows.map(({ field }) => [field, problem])))
}

/**
 * Links to check: those that changed, or all if the record's company changed. Links to users are not checked, since a user
 * belongs to several companies.
 */
function companyFields(env: Env, model: Model, changed: ReadonlySet<string>): readonly Field[] {
  if (!model.hasCompany) return []
  return [...model.fields.values()].filter((field) => {
    if (field.relation?.kind !== 'many2one' || field.column === null || !field.checkCompany) return false
    if (!changed.has(field.name) && !changed.has('company_id')) return false
    const target = modelOf(env, field.relation.target)
    return target.hasCompany && !target.fields.has('company_ids')
  })
}
