import type { ReasonTable } from '#kernel'

/** Why a sales order refuses a change. */
export const reasons = {
  CONFLICT: {
    order_locked: {
      meaning: 'The order is locked or cancelled, so neither it nor its lines can change.',
      example: 'S00007 is locked or cancelled.',
    },
    order_confirmed: {
      meaning: 'A confirmed order is cancelled before it can be deleted.',
      example: 'S00007 is confirmed: cancel it before you delete it.',
    },
    mail_off: {
      meaning: 'The service has no mail server.',
      example: 'This service cannot send mail.',
    },
  },
  VALIDATION: {
    no_address: {
      meaning: 'The customer has no e-mail address to send the order to.',
      example: 'Rainier Outfitters has no e-mail address.',
      details: { fields: { partner_id: 'Rainier Outfitters has no e-mail address.' } },
    },
    order_state: {
      meaning: 'The state of the order does not allow the step.',
      example: 'S00007 is Quotation and cannot become Locked.',
      details: { fields: { state: 'S00007 is Quotation and cannot become Locked.' } },
    },
  },
} as const satisfies ReasonTable

declare module '#kernel' {
  interface AddonReasons {
    sale: typeof reasons
  }
}
