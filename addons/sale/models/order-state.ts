/** The life of an order; the keys are those of the interface. */
export const ORDER_STATES = {
  draft: 'Quotation',
  sent: 'Quotation Sent',
  sale: 'Sales Order',
  done: 'Locked',
  cancel: 'Cancelled',
} as const

export type OrderState = keyof typeof ORDER_STATES

interface Transition {
  readonly from: readonly OrderState[]
  readonly to: OrderState
}

/** What each action needs the order to be, and makes of it. */
export const TRANSITIONS = {
  action_send: { from: ['draft', 'sent'], to: 'sent' },
  action_confirm: { from: ['draft', 'sent'], to: 'sale' },
  action_done: { from: ['sale'], to: 'done' },
  action_unlock: { from: ['done'], to: 'sale' },
  action_cancel: { from: ['draft', 'sent', 'sale'], to: 'cancel' },
  action_draft: { from: ['sent', 'cancel'], to: 'draft' },
} as const satisfies Readonly<Record<string, Transition>>

/** Nothing that makes up the price of such an order changes any more. */
export const LOCKED_STATES: readonly OrderState[] = ['done', 'cancel']

/** Confirmed: an order is bound to have lines and is not deleted. */
export const CONFIRMED_STATES: readonly OrderState[] = ['sale', 'done']

/** Whether an order may pass from one state to another, by whichever action. */
export const mayPass = (from: OrderState, to: OrderState): boolean =>
  Object.values<Transition>(TRANSITIONS).some((step) => step.to === to && step.from.includes(from))
