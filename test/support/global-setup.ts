import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { startTestCluster } from './cluster.ts'
import { dropDatabasesOf } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    adminDsn: string
    appDsn: string
    /** Prefix of every database of this run, so that runs can share a server. */
    runId: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // For every program that the tests start: the certificate of the mail server in `smtp-sink.ts`.
  process.env['NODE_EXTRA_CA_CERTS'] = fileURLToPath(new URL('tls/localhost.pem', import.meta.url))
  const cluster = await startTestCluster()
  const runId = `t${randomBytes(4).toString('hex')}`
  project.provide('adminDsn', cluster.adminDsn)
  project.provide('appDsn', cluster.appDsn)
  project.provide('runId', runId)
  return async () => {
    await dropDatabasesOf(cluster.adminDsn, runId)
    await cluster.stop()
  }
}
