import { mayUseModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import type { Model } from '../model/registry.ts'
import type { ArchNode } from './arch/arch.ts'
import type { WireAccess } from './wire.ts'

/** What the user may do with records of a model, as far as the view lets them. */
export function accessOf(env: Env, model: Model, view?: ArchNode): WireAccess {
  const offers = (flag: string) => view === undefined || isOn(view.attrs[flag] ?? '1')
  const may = (operation: 'create' | 'write' | 'unlink') =>
    model.rpc === 'all' && mayUseModel(env, model.name, operation)
  return {
    create: may('create') && offers('create'),
    write: may('write') && offers('edit'),
    unlink: may('unlink') && offers('delete'),
  }
}

/** How attributes say no. */
const isOn = (value: string): boolean => !['0', 'false', 'False'].includes(value)
