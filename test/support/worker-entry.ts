import type { WorkerBindings } from '../../runtime/worker/bindings.ts'
import { createWorker, type Worker, type WorkerContext } from '../../runtime/worker/worker.ts'
import { DEMO_ADDONS } from './demo-addons.ts'
import type { Suite } from './worker.ts'

/**
 * The worker of the tests. Suites share its isolate, since starting one takes most of a second: each event names its suite and brings the
 * bindings, and each suite has a worker of its own here, with what an isolate keeps.
 */
const workers = new Map<string, Worker>()

function workerOf(id: string): Worker {
  const worker = workers.get(id) ?? createWorker(DEMO_ADDONS)
  workers.set(id, worker)
  return worker
}

type TestRequest = Request & { readonly cf?: { readonly suite?: Suite } }

export default {
  async fetch(request: TestRequest, own: WorkerBindings, context: WorkerContext): Promise<Response> {
    const { id, bindings, isLast } = request.cf?.suite ?? { id: '', bindings: own }
    if (isLast) return new Response(String(workers.delete(id)))
    return workerOf(id).fetch(request, bindings as unknown as WorkerBindings, context)
  },
  async scheduled(event: { readonly cron: string }): Promise<void> {
    const { id, bindings }: Suite = JSON.parse(event.cron)
    await workerOf(id).scheduled(event, bindings as unknown as WorkerBindings)
  },
}
