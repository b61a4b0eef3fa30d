import type { Config } from './config.ts'

/** Where the service can be called on this machine, as far as its settings tell. */
export const ownUrl = ({ http_host: host, http_port: port }: Pick<Config, 'http_host' | 'http_port'>): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
