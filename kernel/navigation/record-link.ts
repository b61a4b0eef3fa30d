import { linkOrigin } from '../auth/reset.ts'
import type { Env } from '../env.ts'
import { pageHref } from './href.ts'

/** The whole address of a record's form, for a mail. */
export const recordLink = ({ services }: Env, model: string, id: number): string =>
  linkOrigin(services) + pageHref({ model, view_type: 'form', id })
