/** What jobs need of the process that runs them. */
export interface JobHost {
  /** Names the process in `sys_cron`. */
  readonly owner: string
  /**
   * The number of an advisory lock that this process holds as long as it lives, so that others notice its end at once; null where
   * it cannot hold one, such as behind a pooler that gives out sessions per transaction.
   */
  readonly ownerLock: () => Promise<number | null>
  /** A signal that is aborted after `ms` milliseconds. */
  readonly timeout: (ms: number) => AbortSignal
  /** Aborted when the process ends and waits for jobs no longer. */
  readonly stopped: AbortSignal
}

/** Rejects when a signal is aborted. It does not stop other work that is raced against it. */
export const whenAborted = (signal: AbortSignal, error: () => Error): Promise<never> =>
  new Promise((_resolve, reject) => {
    const fail = () => reject(error())
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
