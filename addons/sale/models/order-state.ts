/** The states of an order. */
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

/** The states that each action starts from, and the state it leads to. */
export const TRANSITIONS = {
  action_send: { from: ['draft', 'sent'], to: 'sent' },
  action_confirm: { from: ['draft', 'sent'], to: 'sale' },
  action_done: { from: ['sale'], to: 'done' },
  action_unlock: { from: ['done'], to: 'sale' },
  action_cancel: { from: ['draft', 'sent', 'sale'], to: 'cancel' },
  action_draft: { from: ['sent', 'cancel'], to: 'draft' },
} as const satisfies Readonly<Record<string, Transition>>

/** States in which it is an offer. */
export const QUOTATION_STATES: readonly OrderState[] = ['draft', 'sent']

/** States in which the content of the order cannot be changed. */
export const LOCKED_STATES: readonly OrderState[] = ['done', 'cancel']

/** Confirmed states: the order must have lines and cannot be deleted. */
export const CONFIRMED_STATES: readonly OrderState[] = ['sale', 'done']

/** The action that leads from one state to the other, if there is one. */
export const actionBetween = (from: OrderState, to: OrderState): string | undefined =>
  Object.entries<Transition>(TRANSITIONS).find(([, step]) => step.to === to && step.from.includes(from))?.[0]

/** Whether some action leads from one state to the other. */
export const mayPass = (from: OrderState, to: OrderState): boolean => actionBetween(from, to) !== undefined
