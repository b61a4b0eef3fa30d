/** Parsers of settings that every host has. Each throws a sentence about what the value must be. */

export function dsn(value: string): string {
  if (value !== '' && !/^postgres(ql)?:\/\/\S+$/.test(value)) {
    throw new Error('of the form postgresql://user:password@host:port/database')
  }
  return value
}

/** Null when not set. */
export function origin(value: string): string | null {
  if (value === '') return null
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isOrigin =
    url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username
  if (!isOrigin) throw new Error('of the form https://host, without a path')
  return url.origin
}

export function secret(value: string): string {
  if (value !== '' && value.length < 32) throw new Error('at least 32 characters')
  return value
}
