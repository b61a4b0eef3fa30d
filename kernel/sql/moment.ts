import type { Expression, ExpressionBuilder } from 'kysely'

/** The time of the transaction, moved by some seconds: `now() + interval`, for statements of Kysely's builder, which has no intervals. */
export function secondsFromNow<DB, T extends keyof DB>(
  eb: ExpressionBuilder<DB, T>,
  seconds: number,
): Expression<string> {
  const none = eb.lit(0)
  // Years, months, weeks, days, hours, minutes, seconds.
  const interval = eb.fn<string>('make_interval', [none, none, none, none, none, none, eb.val(seconds)])
  return eb(eb.fn<string>('now'), '+', interval)
}
