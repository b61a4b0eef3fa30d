/**
 * What the bundle for workerd has in place of Node's `net` and `tls`. There `pg` connects through `cloudflare:sockets`, and asks for no
 * more than this before it encrypts: which kind of address a host is; 0 for a name.
 */
export const isIP = (host: string): 0 | 4 | 6 => {
  if (host.includes(':')) return 6
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(host) ? 4 : 0
}
