import type { Words } from '../speak.ts'

/** German for what the kernel itself says about records, whatever the addons. */
export const GERMAN: Words = {}
