/** Lets callers with equal requests at the same time share one request. It is aborted when none of them waits any more. */
export interface InFlight {
  share<T>(key: string, signal: AbortSignal | undefined, start: (signal: AbortSignal) => Promise<T>): Promise<T>
}

interface Shared {
  readonly promise: Promise<unknown>
  readonly controller: AbortController
  waiting: number
}

export function createInFlight(): InFlight {
  const running = new Map<string, Shared>()

  function begin(key: string, start: (signal: AbortSignal) => Promise<unknown>): Shared {
    const controller = new AbortController()
    const promise = start(controller.signal).finally(() => {
      if (running.get(key) === shared) running.delete(key)
    })
    const shared: Shared = { promise, controller, waiting: 0 }
    // A caller that aborted has been rejected already; the shared promise may have no other listener.
    promise.catch(() => undefined)
    running.set(key, shared)
    return shared
  }

  return {
    share<T>(key: string, signal: AbortSignal | undefined, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
      if (signal?.aborted) return Promise.reject(abortReason(signal))
      const shared = running.get(key) ?? begin(key, start)
      shared.waiting++
      // The key is the whole request, so all who share it expect the same T.
      const answer = shared.promise as Promise<T>
      if (!signal) return answer
      return new Promise<T>((resolve, reject) => {
        const leave = () => {
          if (--shared.waiting === 0) {
            running.delete(key)
            shared.controller.abort()
          }
          reject(abortReason(signal))
        }
        signal.addEventListener('abort', leave, { once: true })
        answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
      })
    },
  }
}

const abortReason = (signal: AbortSignal): unknown => signal.reason ?? new DOMException('Aborted', 'AbortError')
