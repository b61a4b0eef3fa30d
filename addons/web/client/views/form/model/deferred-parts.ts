import { deferred } from '../../../core/deferred.tsx'

export type FormParts = typeof import('../deferred-chunk.ts')

/** What a form needs when others work on the same record: loaded as soon as it is drawn. */
export const formParts = deferred<FormParts>(() => import('../deferred-chunk.ts'))
