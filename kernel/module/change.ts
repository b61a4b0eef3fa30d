import { type AuditActor, type AuditKind, auditAs } from '../audit.ts'
import type { Env } from '../env.ts'
import { bumpModuleEpoch } from '../epoch.ts'
import { conflict } from '../errors.ts'
import { compileRegistry, RegistryError } from '../model/compile-registry.ts'
import type { Registry } from '../model/registry.ts'
import { OWN_REQUEST } from '../own-request.ts'
import type { Services } from '../services.ts'
import type { Db, Tx } from '../sql/database.ts'
import { translatePgError } from '../sql/pg-error.ts'
import { sql } from '../sql/sql.ts'
import { transact } from '../sql/transaction.ts'
import { loadViewTables } from '../view/load.ts'
import { createEnv } from '../work/create-env.ts'
import { flushOutbox } from '../work/flush-outbox.ts'
import { asSystemUser, SYSTEM_USER } from '../work/system-user.ts'
import type { Addon } from './addon.ts'
import type { Catalogue } from './graph.ts'
import { refuseMissing } from './missing.ts'
import { type ModuleRow, readModules } from './module-row.ts'
import { refuseNewer } from './newer.ts'
import { lazily } from './state.ts'
import { readStoredState } from './stored-state.ts'

/**
 * One change of modules. It runs in one transaction and never concurrently with another; if the process is killed, nothing
 * has happened.
 */
export interface ModuleChange {
  readonly services: Services
  readonly catalogue: Catalogue
  readonly tx: Tx
  /** The modules when the change got the lock. */
  readonly modules: ReadonlyMap<string, ModuleRow>
  /** The user who changes them; absent: the service itself, or an operator on the command line. */
  readonly by?: AuditActor | undefined
}

/** Runs a change of modules. A second one, in any process, waits and then sees the result of the first. */
export async function changeModules<T>(
  services: Services,
  catalogue: Catalogue,
  work: (change: ModuleChange) => Promise<T>,
  by?: AuditActor,
): Promise<T> {
  const run = async (tx: Tx) => {
    await waitForTurn(tx)
    const modules = await readModules(tx)
    refuseMissing(modules, catalogue)
    refuseNewer(modules, catalogue)
    return work({ services, catalogue, tx, modules, by })
  }
  try {
    const result = await transact(services.db, { kind: 'write' }, run, services)
    // A change of modules may have added or removed jobs.
    services.changed?.(['sys.cron'])
    return result
  } catch (error) {
    throw translatePgError(error)
  }
}

/** The advisory lock that a change of modules holds, in the whole installation. */
const TURN = sql`hashtextextended('modulus.modules', 0)`

/** Whether modules are being changed now, by any process. A process that was killed holds no lock. */
export async function isChanging(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_held: boolean }>`
    select exists (
      select from pg_locks join pg_database d on d.oid = database
      where locktype = 'advisory' and granted and objsubid = 1 and d.datname = current_database()
        and (classid::bigint << 32 | objid::bigint) = ${TURN}
    ) as is_held`.execute(db)
  return rows[0]!.is_held
}

/**
 * Waits for the lock as long as a statement may run, because the running change will end. The short `lock_timeout` stays for
 * tables: a schema change that waits for a table would block every reader behind it.
 */
async function waitForTurn(tx: Tx): Promise<void> {
  // In the order of the columns.
  await sql`
    with before as materialized (select current_setting('lock_timeout') as lock_timeout)
    select set_config('lock_timeout', current_setting('statement_timeout'), true), pg_advisory_xact_lock(${TURN}),
      set_config('lock_timeout', lock_timeout, true) from before`.execute(tx)
}

/** The registry of these addons; mistakes in their declarations throw CONFLICT. */
export function compileAddons(addons: readonly Addon[]): Registry {
  try {
    return compileRegistry(addons)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    throw conflict('module_state', `The modules do not fit together:\n${error.message}`, { problems: error.problems })
  }
}

/** Runs `work` as the system user, with the given registry and the current access tables. */
export async function withSystemEnv<T>(
  { services, tx }: ModuleChange,
  registry: Registry,
  work: (env: Env) => Promise<T>,
): Promise<T> {
  const { epoch, access } = await readStoredState(tx)
  const env = createEnv({
    services,
    state: { epoch, registry, access, views: lazily(() => loadViewTables(tx, registry)) },
    tx,
    user: await asSystemUser(tx),
    requestId: OWN_REQUEST.modules,
    now: services.clock(),
    sudo: true,
    // The audit trail gets one line for a change of modules, not one for every record it adds.
    isAudited: false,
  })
  const result = await work(env)
  await flushOutbox(env)
  return result
}

/** Makes every process reload modules and access after the commit, and publishes `module.changed` to the clients. */
export async function publishModuleChange(
  change: ModuleChange,
  registry: Registry,
  changed: Iterable<readonly [module: string, state: string]>,
): Promise<void> {
  const all = [...changed]
  await bumpModuleEpoch(change.tx)
  await withSystemEnv(change, registry, async (env) => {
    for (const [module, state] of all) env.emit('module.changed', { module, state })
  })
  await auditAs(
    change.tx,
    change.by ?? { ...SYSTEM_USER, address: null, requestId: OWN_REQUEST.modules },
    all.map(([module, state]) => ({
      kind: kindOf(change, module, state),
      subject: module,
      detail: change.catalogue.get(module)?.version ?? null,
    })),
  )
}

const KIND_OF: Readonly<Record<string, AuditKind>> = {
  updated: 'module_updated',
  uninstalled: 'module_removed',
  inactive: 'module_off',
}

const kindOf = ({ modules }: ModuleChange, module: string, state: string): AuditKind =>
  KIND_OF[state] ?? (modules.get(module)?.state === 'inactive' ? 'module_on' : 'module_installed')
