import DOMPurify from 'dompurify'
import { type Allowlist, DOCUMENT_HTML, sanitizeHtml } from '../../../../kernel/html/sanitize.ts'

/*
 * A browser applies the page's content policy to everything it parses, even in documents that nobody sees, and reports every event
 * attribute and style it meets. So HTML is first cleaned as text by the server's own sanitiser, which writes new markup from an
 * allowlist; only that reaches a parser. Behind it stands a second filter: the Sanitizer of the browser, or DOMPurify.
 */

/** An address inside this application, or a phone number. A second slash or a backslash would lead to another host. */
const OWN_ADDRESS = /^(?:tel:\S|\/(?![/\\])[^\s\\]*$)/i

const ownAddress = (value: string): string | null => (OWN_ADDRESS.test(value.trim()) ? value.trim() : null)
const title = (value: string): string => value

/** What fields may store, and what texts of addons use besides: tooltips and links into the application. */
const SHOWN_HTML: Allowlist = new Map(
  [...DOCUMENT_HTML].map(([element, { href, ...rest }]) => [
    element,
    { ...rest, title, ...(href && { href: (value: string) => href(value) ?? ownAddress(value) }) },
  ]),
)

/** The hidden inputs by which the editor finds its selection again when something is undone. */
const EDITOR_HTML: Allowlist = new Map([...SHOWN_HTML, ['input', { id: (id) => id, type: () => 'hidden' }]])

/** Clean HTML as text; no parser of the browser is involved. */
export const cleanHtml = (html: string): string => sanitizeHtml(html, SHOWN_HTML)

/** Clean HTML as nodes, for an editor. `withMarks` keeps the marks of its selection. */
export function cleanFragment(html: string, withMarks = false): DocumentFragment {
  const box = document.createElement('div')
  fill(box, html, withMarks ? EDITOR_HTML : SHOWN_HTML)
  const fragment = document.createDocumentFragment()
  fragment.append(...box.childNodes)
  return fragment
}

/** Puts clean HTML into an element; links out of the application open beside it. */
export function setCleanHtml(element: Element, html: string): void {
  fill(element, html, SHOWN_HTML)
  for (const link of element.querySelectorAll('a[href]')) {
    link.setAttribute('rel', 'noopener noreferrer')
    if (!link.getAttribute('href')?.startsWith('/')) link.setAttribute('target', '_blank')
  }
}

/** The HTML Sanitizer API, which the type library does not know yet. */
interface SanitizingElement extends Element {
  setHTML?(html: string, options: { readonly sanitizer: object }): void
}

function fill(element: SanitizingElement, html: string, allowed: Allowlist): void {
  const clean = sanitizeHtml(html, allowed)
  const elements = [...allowed].map(([name, attributes]) => ({ name, attributes: Object.keys(attributes) }))
  if (element.setHTML) element.setHTML(clean, { sanitizer: { elements } })
  else element.replaceChildren(purify(clean, elements))
}

const purify = (
  html: string,
  elements: readonly { readonly name: string; readonly attributes: readonly string[] }[],
): DocumentFragment =>
  DOMPurify.sanitize(html, {
    ALLOWED_TAGS: elements.map(({ name }) => name),
    ALLOWED_ATTR: elements.flatMap(({ attributes }) => attributes),
    RETURN_DOM_FRAGMENT: true,
  })
