import type { Config } from './config.ts'

/** The URL of the service on this machine, according to its settings. */
export const ownUrl = ({ http_host: host, http_port: port }: Pick<Config, 'http_host' | 'http_port'>): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
