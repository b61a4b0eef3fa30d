import { AppError, refusal } from '../errors.ts'
import type { Registry } from '../model/registry.ts'
import { viewMistakes } from '../view/check/validate.ts'
import type { Addon } from './addon.ts'
import { type ModuleChange, withSystemEnv } from './change.ts'
import { loadData } from './load-data.ts'

/** Loads the data files of an addon. Where they have mistakes, those of its views are named with them. */
export async function loadFiles(change: ModuleChange, registry: Registry, addon: Addon): Promise<void> {
  try {
    await withSystemEnv(change, registry, (env) => loadData(env, addon.name, addon.data))
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'data_invalid') throw error
    const views = await withSystemEnv(change, registry, (env) => viewMistakes(env, [addon]))
    if (views.length === 0) throw error
    throw refusal('VALIDATION', 'data_invalid', [error.message, ...views].join('\n'), error.details)
  }
}
