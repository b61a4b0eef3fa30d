/** Cookies of one caller, kept as a browser keeps those of one origin. */
export class CookieJar {
  readonly #values = new Map<string, string>()

  set(name: string, value: string): void {
    this.#values.set(name, value)
  }

  get(name: string): string | undefined {
    return this.#values.get(name)
  }

  /** The `Cookie` header, or null when there is nothing to send. */
  get header(): string | null {
    if (this.#values.size === 0) return null
    return [...this.#values].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Takes over what an answer sets; an age of nothing removes the cookie. */
  store(headers: Headers): void {
    for (const cookie of headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim())
      const [name = '', ...value] = pair.split('=')
      if (attributes.some((attribute) => attribute.toLowerCase() === 'max-age=0')) this.#values.delete(name)
      else this.#values.set(name, value.join('='))
    }
  }
}
