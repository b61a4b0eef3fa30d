import { once } from 'node:events'
import { startEmbeddedPostgres } from '../../runtime/node/embedded/embedded-postgres.ts'

/** A process of its own that uses the embedded server: prints what it got, and stops when told so on standard input. */
process.on('SIGINT', () => process.stdout.write('interrupted\n'))
const [dataDir = ''] = process.argv.slice(2)
const server = await startEmbeddedPostgres({ dataDir })
process.stdout.write(`${JSON.stringify({ dsn: server.dsn, owned: server.owned })}\n`)
await once(process.stdin, 'data')
await server.stop()
process.exit(0)
