import { asKernel, type Env } from '../../env.ts'
import type { Field } from '../../model/fields/field.ts'

/**
 * Who a compute runs as, and whose rules decide which records its needs hold. A stored result is the same for every user, so it
 * takes everything into account; a result computed on read holds what the reader may see, unless the compute says `sudo`.
 */
export const computeEnv = (env: Env, { compute }: Field): Env =>
  compute?.stored || compute?.sudo ? asKernel(env) : env
