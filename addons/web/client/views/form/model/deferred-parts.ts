import { deferred } from '../../../core/deferred.tsx'

export type FormParts = typeof import('../deferred-chunk.ts')

/** Parts of a form for the work of other users on the same record, loaded as soon as the form is drawn. */
export const formParts = deferred<FormParts>(() => import('../deferred-chunk.ts'))
