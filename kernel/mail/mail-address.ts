const LOCAL_ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/
const DOMAIN_LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

export interface Mailbox {
  readonly name: string
  readonly address: string
}

/**
 * Whether mail may be sent to this address: `atoms@host` only. Other forms that the standards allow (quoted local parts,
 * comments, groups, literals) and line breaks are refused, because they can make one address look like two.
 */
export function isMailAddress(text: string): boolean {
  const parts = text.split('@')
  const [local = '', domain = ''] = parts
  return (
    parts.length === 2 &&
    local.length <= 64 &&
    text.length <= 254 &&
    local.split('.').every((atom) => LOCAL_ATOM.test(atom)) &&
    domain.split('.').every((label) => DOMAIN_LABEL.test(label))
  )
}

/** `erp@example.com` or `Name <erp@example.com>`; null for any other text. */
export function parseMailbox(text: string): Mailbox | null {
  const [, name = '', address = text] = /^"?([^"<>\p{Cc}]*)"?<([^<>]*)>$/u.exec(text) ?? []
  return isMailAddress(address) ? { name: name.trim(), address } : null
}

/** A mailbox as text. */
export const mailboxText = ({ name, address }: Mailbox): string => (name === '' ? address : `${name} <${address}>`)
