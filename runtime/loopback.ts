/** Whether a host name is this machine, so that data sent to it crosses no network. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host)
