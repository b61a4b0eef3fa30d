import { bundledAddons } from '../../addons/index.ts'
import { createWorker } from './worker.ts'

export default createWorker(bundledAddons)
