import { refusal } from '../errors.ts'
import type { Translate } from '../i18n/translate.ts'
import type { Registry } from '../model/registry.ts'
import type { ConstraintNamer } from '../sql/pg-error.ts'
import { desiredSchema } from './columns.ts'

/**
 * Names broken constraints and missing values by field, in words of the model and the language of the request; for `translatePgError`.
 * A column that no model has is named for administrators only; the log has the name as the cause.
 */
export function constraintNamer(
  registry: Registry,
  t: Translate,
  { isForAdministrator = false } = {},
): ConstraintNamer {
  return ({ kind, table, constraint, column }) => {
    const spec = table === undefined ? undefined : desiredSchema(registry, { trigrams: false }).get(table)
    if (spec === undefined) return undefined
    if (kind === 'required' && column !== undefined) {
      const field = spec.columns.get(column)?.field
      return field
        ? { field: field.name, message: t('{field} is required.', { field: t(field.label) }) }
        : {
            message: isForAdministrator
              ? t('This process does not know {field}, which the database requires. It must be restarted.', {
                  field: `${table}.${column}`,
                })
              : t('This process does not know a value that the database requires. It must be restarted.'),
            refuse: (...about) => refusal('UNAVAILABLE', 'host_lacks', ...about),
          }
    }
    const broken = constraint === undefined ? undefined : spec.constraints.get(constraint)
    if (broken === undefined) return undefined
    const blamed = spec.columns.get(broken.field ?? '')?.field
    const values = { field: t(blamed?.label ?? '') }
    return {
      ...(broken.field !== null && { field: broken.field }),
      ...(broken.message !== null && { message: t(broken.message, values) }),
    }
  }
}
