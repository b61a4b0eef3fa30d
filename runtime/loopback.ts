/** Whether a host is this machine itself, so that what is sent to it passes no network. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host)
