import { formatQuery } from '../../router/codec.ts'

/** The address of the form of a record of any model. */
export const recordHref = (model: string, id: number): string => `/web?${formatQuery({ model, view_type: 'form', id })}`

/** Addresses for email, phone and web links; null for a text that is not a valid address of its kind, which is then shown as plain text. */
export const contactHref = {
  email: (text: string): string | null => (/^[^\s@:/?#]+@[^\s@:/?#]+$/.test(text) ? `mailto:${text}` : null),
  phone: (text: string): string | null =>
    /^[+\d][\d\s()./-]{2,}$/.test(text) ? `tel:${text.replaceAll(/[^+\d]/g, '')}` : null,
  url: (text: string): string | null => {
    if (/\s/.test(text)) return null
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
    const url = URL.canParse(address) ? new URL(address) : null
    return url !== null && /^https?:$/.test(url.protocol) && url.hostname.includes('.') ? url.href : null
  },
}
