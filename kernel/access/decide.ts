import type { Checked, DomainNode } from '../domain/ast.ts'
import type { Env } from '../env.ts'
import { accessDenied } from '../errors.ts'
import { mayReadField, mayUseModel } from './acl.ts'
import { collectFieldUses, type FieldUse } from './uses.ts'

/**
 * Refuses a query unless the user may use every model and field in it. The decision never depends on the values compared
 * with.
 */
export function decide(env: Env, uses: readonly FieldUse[]): void {
  for (const { model, field } of uses) {
    if (!mayUseModel(env, model, 'read'))
      throw accessDenied('model_access', 'You are not allowed to search these records.')
    if (field !== null && !mayReadField(env, field)) {
      throw accessDenied('field_access', `You are not allowed to use the field ${field.name}.`)
    }
  }
}

/** Checks access to everything a domain names and marks it `Checked`, the only type the compiler takes. */
export function authorizeDomain(env: Env, node: DomainNode): Checked<DomainNode> {
  decide(env, collectFieldUses(node))
  return node as Checked<DomainNode>
}

/** Marks a domain as `Checked` without asking: for record rules and the kernel's own conditions. */
export const trustDomain = (node: DomainNode): Checked<DomainNode> => node as Checked<DomainNode>
