/** One server of the cluster: PostgreSQL and the Patroni that looks after it. */
export interface Member {
  readonly name: string
  readonly postgresPort: number
  readonly patroniPort: number
}

export interface ClusterConfig {
  /** Folder of the member, for its data and its files. */
  readonly folder: string
  readonly binaries: string
  readonly etcdPort: number
  readonly password: string
  readonly maxConnections: number
}

/** Seconds after which a primary that is not heard of is replaced; the least that Patroni takes. */
export const TTL_SECONDS = 20

/**
 * The settings of a member. A commit is acknowledged when a second server has it (`synchronous_mode`), so that a failover loses none;
 * with nobody to have it, writes go on alone. JSON is YAML, too.
 */
export function patroniConfig(member: Member, config: ClusterConfig): string {
  const { folder, binaries, etcdPort, password, maxConnections } = config
  const login = (username: string) => ({ username, password })
  const at = (port: number) => `127.0.0.1:${port}`
  return JSON.stringify({
    scope: 'modulus',
    name: member.name,
    restapi: { listen: at(member.patroniPort), connect_address: at(member.patroniPort) },
    etcd3: { host: at(etcdPort) },
    bootstrap: {
      dcs: {
        ttl: TTL_SECONDS,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        // A primary whose PostgreSQL has died is replaced instead of being waited for.
        master_start_timeout: 0,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { max_connections: maxConnections, wal_keep_size: '256MB', hot_standby_feedback: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
    },
    postgresql: {
      listen: at(member.postgresPort),
      connect_address: at(member.postgresPort),
      data_dir: `${folder}/data`,
      bin_dir: binaries,
      pgpass: `${folder}/pgpass`,
      authentication: { superuser: login('postgres'), replication: login('replicator'), rewind: login('rewinder') },
      parameters: { unix_socket_directories: folder },
    },
  })
}
