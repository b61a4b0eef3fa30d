import type { Env } from '#kernel'

const DAY = 86_400_000

/** Today, or a day after it. */
export const dayOf = (env: Pick<Env, 'now'>, daysAhead = 0): string =>
  new Date(env.now.getTime() + daysAhead * DAY).toISOString().slice(0, 10)
