import { bundledAddons } from '../../addons/index.ts'
import { createWorker } from '../../runtime/worker/worker.ts'
import library from './addons/library/addon.ts'
import libraryExtra from './addons/library_extra/addon.ts'

export default createWorker([...bundledAddons, library, libraryExtra])
