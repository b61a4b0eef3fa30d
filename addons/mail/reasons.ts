import type { ReasonTable } from '#kernel'

/** Why there is no chatter. */
export const reasons = {
  BAD_REQUEST: {
    no_chatter: {
      meaning: 'Records of the model have no messages.',
      example: 'Records of Currency have no messages.',
    },
  },
} as const satisfies ReasonTable

declare module '#kernel' {
  interface AddonReasons {
    mail: typeof reasons
  }
}
