import { requireModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import { isRecordId } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import { read } from '../orm/record/read.ts'
import { missing } from '../orm/statement/refusals.ts'
import type { WireRecord } from '../view/wire.ts'
import { wireRecords } from './list-page.ts'

/** The record of a form, with its name, whether it is archived and the version a save is based on; none for a new one. */
export async function loadForm(
  env: Env,
  model: Model,
  id: number,
  fields: readonly string[],
): Promise<readonly WireRecord[]> {
  if (id === 0) {
    requireModel(env, model, 'create')
    return []
  }
  if (!isRecordId(id)) throw missing(env, model, id)
  return wireRecords(
    await read(
      env,
      model,
      [id],
      [...new Set([...fields, 'display_name', 'version', ...(model.hasActive ? ['active'] : [])])],
    ),
  )
}
