import type { Addon } from '#kernel'
import base from './base/addon.ts'

/** Every addon of the program. The list is explicit, so that bundlers and workerd see it. */
export const bundledAddons: readonly Addon[] = [base]
