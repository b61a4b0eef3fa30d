import { readFileSync } from 'node:fs'

/**
 * The attacks that tests prove to fail, by the id with which the names of the tests begin. A: sign-in, sessions, keys and
 * reset. W: pages, workspace, chatter, modules and metrics. P: the platform.
 */
export const THREATS = {
  A1: 'Finding out logins: status, text and time of a failed sign-in are the same whether the login exists or not.',
  A2: 'Guessing passwords through several processes: they share one limit per address and per account; it delays, but never locks the owner out.',
  A3: 'Signing a visitor in by a forged form, or with a session id chosen beforehand: sign-in needs a token and the own origin, and makes a new session.',
  A4: 'Redirecting to another site through `next`: only pages under /web are accepted, when the address is stored and again when it is used.',
  A5: 'Stealing or keeping a session cookie: HttpOnly, SameSite, Secure on https; the token is in no URL or log, is rotated, and has an idle and an absolute lifetime.',
  A6: 'Going on after the account changed: a deactivated user, a removed group and a new password take effect with the next request.',
  A7: 'Signing a user out from another site: a link, image or prefetch only leads to a page that asks.',
  A8: 'Running the set-up twice, or at the same time: the first call wins, and afterwards the set-up does not exist.',
  A9: 'Changing links through Host or X-Forwarded-Host: links use the configured address; ambiguous or unknown hosts are refused.',
  A10: 'Misusing reset links: 256 random bits, stored as a hash, valid for half an hour and one POST; a newer link replaces the older, but one that anybody asked for leaves an invitation alone; the page sends no Referer.',
  A11: 'Learning a password as administrator: a reset gives the user a link, the administrator sees no password.',
  A12: 'Misusing API keys: they are read from two headers only, keys that are not valid are refused alike, and a key opens no pages and creates no keys.',
  A13: 'Creating a key for somebody more powerful: only administrators who entered their password within ten minutes may.',
  A14: 'Seeing a one-time secret twice: of all requests one shows it, in the session it was made for.',
  A15: 'Working in a company of others: only companies of the user can be selected, and every request checks that again.',
  A16: 'Filling the session table as a visitor: nothing is stored before the sign-in.',
  A17: 'Framing, content sniffing and caching: every answer has the security headers, also errors and redirects.',
  W1: 'Running script through values in the page: data inside script elements is escaped.',
  W2: 'Running script through stored markup: only elements and attributes of an allowlist are kept.',
  W3: 'Reading or posting messages on a record of others: it needs access to that record.',
  W4: 'Opening hidden actions by their address, or filling protected fields by defaults: groups and write access are checked.',
  W5: 'Exhausting the server by view XML: DTDs and entities are refused; size, nodes, depth, attributes and paths are limited.',
  W6: 'Storing anything as pinned apps: only a short list of installed modules is accepted.',
  W7: 'Changing modules without the right, or by a made-up name: administrators only, names of the catalogue only, `base` stays.',
  W8: 'Reading metrics, or flooding them with labels: administrators only, labels come from the registry.',
  W9: 'Loading the database through the health check: it makes no query.',
  W10: 'Reading the log, or running script through it: administrators only, secrets are removed, text is escaped.',
  W11: 'An addon route that forgets authentication or CSRF: every route is declared with both and goes through the same pipeline.',
  W12: 'Using routes that do not exist: they answer 404.',
  W13: 'Smuggling requests: ambiguous lengths, encodings and hosts are refused.',
  W14: 'Learning something across sites: data and downloads answer requests of the own site only.',
  P1: 'Holding connections open by sending slowly: time limits close them, and other requests are not delayed.',
  P2: 'Making the server fetch an address: nothing in it fetches URLs, and mails cannot attach files or pages.',
  P3: 'Finding secrets: none is in the repository, there is no default account, and the generated secret is readable by its owner only.',
  P4: 'Misusing the database role: the service needs no rights beyond its own database.',
  P5: 'Code from dependencies at install time: exact versions, and install scripts for one package only.',
  P6: 'Regular expressions with exponential time: no nested repetition.',
  P7: 'Forging the client address: X-Forwarded-For counts from trusted proxies only.',
} as const

/** Rows of one letter whose id starts no test name in any of the files. */
export function threatsWithoutTest(letter: 'A' | 'W' | 'P', files: readonly string[]): string[] {
  const text = files.map((path) => readFileSync(path, 'utf8')).join('\n')
  return Object.keys(THREATS).filter((id) => id.startsWith(letter) && !new RegExp(`['"\`]${id}: `).test(text))
}
