import { bundledAddons } from '../../addons/index.ts'
import library from './addons/library/addon.ts'
import libraryExtra from './addons/library_extra/addon.ts'

/** Every addon that the hosts of the tests know: the bundled ones and the test library. */
export const DEMO_ADDONS = [...bundledAddons, library, libraryExtra]
