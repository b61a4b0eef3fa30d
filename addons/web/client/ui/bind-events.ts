/**
 * Stands in for `bind-event-listener`, the one CommonJS module in the client (drag and drop needs it): for its sake every page would
 * load the bundler's helpers, a request of their own.
 */
type Options = boolean | AddEventListenerOptions | undefined

interface Binding {
  readonly type: string
  readonly listener: EventListenerOrEventListenerObject
  readonly options?: Options
}

export function bind(target: EventTarget, { type, listener, options }: Binding): () => void {
  target.addEventListener(type, listener, options)
  return () => target.removeEventListener(type, listener, options)
}

export function bindAll(target: EventTarget, bindings: readonly Binding[], shared?: Options): () => void {
  const unbinds = bindings.map(({ type, listener, options }) =>
    bind(target, { type, listener, options: { ...asObject(shared), ...asObject(options) } }),
  )
  return () => {
    for (const unbind of unbinds) unbind()
  }
}

const asObject = (options: Options): AddEventListenerOptions | undefined =>
  typeof options === 'boolean' ? { capture: options } : options
