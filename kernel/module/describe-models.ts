import type { Field } from '../model/fields/field.ts'
import type { Model, Registry } from '../model/registry.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'

/** Updates `sys.model` and `sys.field` from the registry; unchanged rows are not written. */
export async function describeModels(tx: Db, registry: Registry): Promise<void> {
  const models = [...registry.models.values()]
  const modelRows = JSON.stringify(models.map(modelRow))
  const fieldRows = JSON.stringify(models.flatMap((model) => [...model.fields.values()].map(fieldRow)))
  if (await isDescribed(tx, modelRows, fieldRows)) return
  await sql`
    insert into sys_model (model, name, module)
    select r.model, r.name, r.module from json_to_recordset(${modelRows}::json) as r(model text, name text, module text)
    on conflict (model) do update set name = excluded.name, module = excluded.module
    where (sys_model.name, sys_model.module) is distinct from (excluded.name, excluded.module)`.execute(tx)
  await sql`
    delete from sys_field f where not exists (
      select from json_to_recordset(${fieldRows}::json) as r(model text, name text)
      where r.model = f.model and r.name = f.name)`.execute(tx)
  await sql`
    delete from sys_model m where not exists (
      select from json_to_recordset(${modelRows}::json) as r(model text) where r.model = m.model)`.execute(tx)
  await sql`
    insert into sys_field (model, model_id, name, label, module, type, relation, required, readonly, stored, groups, help)
    select r.model, m.id, r.name, r.label, r.module, r.type, r.relation, r.required, r.readonly, r.stored, r.groups, r.help
    from json_to_recordset(${fieldRows}::json) as r(model text, name text, label text, module text, type text, relation text,
      required boolean, readonly boolean, stored boolean, groups text, help text)
    join sys_model m on m.model = r.model
    on conflict (model, name) do update set label = excluded.label, module = excluded.module, type = excluded.type,
      relation = excluded.relation, required = excluded.required, readonly = excluded.readonly, stored = excluded.stored,
      groups = excluded.groups, help = excluded.help
    where (sys_field.label, sys_field.module, sys_field.type, sys_field.relation, sys_field.required, sys_field.readonly,
      sys_field.stored, sys_field.groups, sys_field.help) is distinct from (excluded.label, excluded.module, excluded.type,
      excluded.relation, excluded.required, excluded.readonly, excluded.stored, excluded.groups, excluded.help)`.execute(
    tx,
  )
}

/** In one statement, since most starts find nothing to change: the four that change rows take three times as long. */
async function isDescribed(tx: Db, modelRows: string, fieldRows: string): Promise<boolean> {
  const { rows } = await sql<{ is_same: boolean }>`
    select not exists (
      select from json_to_recordset(${modelRows}::json) as r(model text, name text, module text)
      full join sys_model m on m.model = r.model
      where (m.model, m.name, m.module) is distinct from (r.model, r.name, r.module)
    ) and not exists (
      select from json_to_recordset(${fieldRows}::json) as r(model text, name text, label text, module text, type text,
        relation text, required boolean, readonly boolean, stored boolean, groups text, help text)
      full join sys_field f on f.model = r.model and f.name = r.name
      where (f.model, f.name, f.label, f.module, f.type, f.relation, f.required, f.readonly, f.stored, f.groups, f.help)
        is distinct from (r.model, r.name, r.label, r.module, r.type, r.relation, r.required, r.readonly, r.stored, r.groups, r.help)
    ) as is_same`.execute(tx)
  return rows[0]!.is_same
}

const modelRow = ({ name, label, addon }: Model) => ({ model: name, name: label, module: addon })

const fieldRow = (field: Field) => ({
  model: field.model,
  name: field.name,
  label: field.label,
  module: field.addon,
  type: field.type.name,
  relation: field.relation?.target ?? null,
  required: field.required,
  readonly: field.readonly || field.system,
  stored: field.column !== null || field.relation?.kind === 'many2many',
  groups: field.groups.length === 0 ? null : field.groups.join(','),
  help: field.help,
})
