/**
 * Replaces `bind-event-listener`, which the drag and drop library needs. It is the only CommonJS module in the client,
 * and would make every page load the bundler's helpers in a separate request.
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
