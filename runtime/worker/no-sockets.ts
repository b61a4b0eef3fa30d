/**
 * Replaces Node's `net` and `tls` in the bundle for workerd. There `pg` connects through `cloudflare:sockets` and needs only this before it
 * encrypts: the version of an IP address, 0 for a name.
 */
export const isIP = (host: string): 0 | 4 | 6 => {
  if (host.includes(':')) return 6
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(host) ? 4 : 0
}
