import { conflict } from '../errors.ts'
import type { Registry } from '../model/registry.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'

/** Throws if a field of these modules takes numbers from a sequence that does not exist: no record could be created. */
export async function requireSequences(tx: Db, registry: Registry, modules: readonly string[]): Promise<void> {
  const numbered = [...registry.models.values()].flatMap(({ fields }) =>
    [...fields.values()].flatMap(({ addon, model, name, sequence }) =>
      sequence !== null && modules.includes(addon) ? [{ field: `${model}.${name}`, code: sequence }] : [],
    ),
  )
  if (numbered.length === 0) return
  const { rows } = await sql<{ code: string }>`
    select distinct code from sys_sequence where code = any(${numbered.map(({ code }) => code)}::text[])`.execute(tx)
  const known = new Set(rows.map(({ code }) => code))
  const problems = numbered.filter(({ code }) => !known.has(code)).map(describe)
  if (problems.length > 0) throw conflict('module_state', problems.join('\n'), { problems })
}

const describe = ({ field, code }: { readonly field: string; readonly code: string }) =>
  `${field} is numbered by the sequence ${code}, which does not exist. Add it to a data file: ` +
  `<record id="sequence_${code.replaceAll(/\W+/g, '_')}" model="sys.sequence"><field name="name">${field}</field><field name="code">${code}</field></record>`
