import { late } from './core/late.ts'

export type Extras = typeof import('./extras.ts')

export const extras = late<Extras>(() => import('./extras.ts'))
