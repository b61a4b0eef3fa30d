import { behavior, currencySums, multiplyMoney, sumMoney } from '#kernel'

export const CONFIRMED: ReadonlySet<string> = new Set(['sale', 'done'])
export const OFFERED: ReadonlySet<string> = new Set(['draft', 'sent'])

/** The most urgent first. */
const URGENCY = ['overdue', 'today', 'planned'] as const

/** Computed fields of a lead: revenue, outcome and next activity. */
export const crmLeadFigures = behavior('crm.lead', {
  computes: {
    weighted_revenue: {
      needs: ['expected_revenue', 'probability'],
      run: (_env, rows) =>
        new Map(
          rows.map(({ id, expected_revenue, probability }) => [
            id,
            expected_revenue === null ? null : multiplyMoney(expected_revenue, probability, 0.01),
          ]),
        ),
    },
    outcome: {
      needs: ['stage_id.is_won', 'date_closed'],
      run: (_env, rows) =>
        new Map(
          rows.map(({ id, stage_id, date_closed }) => [
            id,
            stage_id?.is_won ? 'won' : date_closed === null ? 'open' : 'lost',
          ]),
        ),
    },
    activity_state: {
      needs: ['activity_ids.state'],
      run: (_env, rows) =>
        new Map(
          rows.map(({ id, activity_ids }) => [
            id,
            URGENCY.find((state) => activity_ids.some((activity) => activity.state === state)) ?? null,
          ]),
        ),
    },
    activity_date: {
      needs: ['activity_ids.date_deadline', 'activity_ids.date_done'],
      run: (_env, rows) =>
        new Map(
          rows.map(({ id, activity_ids }) => {
            const open = activity_ids.filter((activity) => activity.date_done === null)
            return [id, open.map((activity) => activity.date_deadline).sort()[0] ?? null]
          }),
        ),
    },
    quotation_count: {
      needs: ['order_ids.state'],
      run: (_env, rows) =>
        new Map(rows.map((row) => [row.id, row.order_ids.filter(({ state }) => OFFERED.has(state)).length])),
    },
    order_count: {
      needs: ['order_ids.state'],
      run: (_env, rows) =>
        new Map(rows.map((row) => [row.id, row.order_ids.filter(({ state }) => CONFIRMED.has(state)).length])),
    },
    ordered_amount: {
      needs: ['currency_id', 'order_ids.state', 'order_ids.currency_id', 'order_ids.amount_total'],
      run: (_env, rows) =>
        new Map(
          rows.map((row) => {
            const counted = row.order_ids.filter(
              ({ state, currency_id }) => CONFIRMED.has(state) && currency_id === row.currency_id,
            )
            return [row.id, sumMoney(counted.map((order) => order.amount_total))]
          }),
        ),
    },
    /** Counts only what the user may see, like the list that it opens. */
    ordered_amounts: {
      needs: ['order_ids.state', 'order_ids.currency_id.name', 'order_ids.amount_total'],
      run: (env, rows) =>
        new Map(
          rows.map(({ id, order_ids }) => {
            const ordered = order_ids.filter(({ state }) => CONFIRMED.has(state))
            const amounts = ordered.map((order) => ({
              currency: order.currency_id?.name ?? null,
              amount: order.amount_total,
            }))
            return [id, currencySums(env, amounts)]
          }),
        ),
    },
  },
})
