import type { Checked, DomainNode } from '../domain/ast.ts'
import type { Env } from '../env.ts'
import { accessDenied } from '../errors.ts'
import { mayReadField, mayUseModel } from './acl.ts'
import { type Use, usesOfDomain } from './uses.ts'

/** Allows or refuses everything a query touches; the answer never depends on values. */
export function decide(env: Env, uses: readonly Use[]): void {
  for (const { model, field } of uses) {
    if (!mayUseModel(env, model, 'read'))
      throw accessDenied('model_access', 'You are not allowed to search these records.')
    if (field !== null && !mayReadField(env, field)) {
      throw accessDenied('field_access', `You are not allowed to use the field ${field.name}.`)
    }
  }
}

/** The only way to a query the compiler accepts. */
export function authorizeDomain(env: Env, node: DomainNode): Checked<DomainNode> {
  decide(env, usesOfDomain(node))
  return node as Checked<DomainNode>
}

/** Rules and the kernel's own conditions need no permission. */
export const trustDomain = (node: DomainNode): Checked<DomainNode> => node as Checked<DomainNode>
