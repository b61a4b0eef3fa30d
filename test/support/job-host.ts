import type { JobHost } from '../../kernel/job/job-host.ts'

/** A `JobHost` for tests. */
export const jobHost = (more: Partial<JobHost> = {}): JobHost => ({
  owner: 'test',
  ownerLock: async () => null,
  timeout: (ms) => AbortSignal.timeout(ms),
  stopped: new AbortController().signal,
  ...more,
})
