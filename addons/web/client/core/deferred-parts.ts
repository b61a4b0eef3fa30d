import { deferred } from './deferred.tsx'

export type DeferredParts = typeof import('../deferred-chunk.ts')

/** Menus, suggestions and panels: loaded as soon as the first view is drawn. */
export const deferredParts = deferred<DeferredParts>(() => import('../deferred-chunk.ts'))
