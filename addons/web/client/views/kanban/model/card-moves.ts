import { deferred } from '../../../core/deferred.tsx'

/** Moving cards is deferred: loaded right after the board is drawn. */
export const cardMoves = deferred(() => import('../deferred-chunk.ts'))
