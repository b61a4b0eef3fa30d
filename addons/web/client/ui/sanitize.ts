import DOMPurify from 'dompurify'
import { type Allowlist, DOCUMENT_HTML, sanitizeHtml } from '../../../../kernel/html/sanitize.ts'

/*
 * A browser applies the content security policy of the page to everything it parses, even in detached documents, and
 * reports every event attribute and style it finds. Therefore HTML is first sanitised as text by the sanitiser of the
 * server, which writes new markup from an allowlist; only its result is parsed. The browser's Sanitizer, or DOMPurify,
 * is a second filter behind it.
 */

/** A path inside this application, or a phone number. A second slash or a backslash would lead to another host. */
const OWN_ADDRESS = /^(?:tel:\S|\/(?![/\\])[^\s\\]*$)/i

const ownAddress = (value: string): string | null => (OWN_ADDRESS.test(value.trim()) ? value.trim() : null)
const title = (value: string): string => value

/** What fields can store, plus what texts of addons use: tooltips and links into the application. */
const SHOWN_HTML: Allowlist = new Map(
  [...DOCUMENT_HTML].map(([element, { href, ...rest }]) => [
    element,
    { ...rest, title, ...(href && { href: (value: string) => href(value) ?? ownAddress(value) }) },
  ]),
)

/** Additionally the hidden inputs by which the editor restores its selection on undo. */
const EDITOR_HTML: Allowlist = new Map([...SHOWN_HTML, ['input', { id: (id) => id, type: () => 'hidden' }]])

/** Sanitises HTML as text, without any parser of the browser. */
export const cleanHtml = (html: string): string => sanitizeHtml(html, SHOWN_HTML)

/** Sanitises HTML into nodes for an editor. `withMarks` keeps the markers of its selection. */
export function cleanFragment(html: string, withMarks = false): DocumentFragment {
  const box = document.createElement('div')
  fill(box, html, withMarks ? EDITOR_HTML : SHOWN_HTML)
  const fragment = document.createDocumentFragment()
  fragment.append(...box.childNodes)
  return fragment
}

/** Sets the sanitised HTML of an element. Links out of the application open in a new tab. */
export function setCleanHtml(element: Element, html: string): void {
  fill(element, html, SHOWN_HTML)
  for (const link of element.querySelectorAll('a[href]')) {
    link.setAttribute('rel', 'noopener noreferrer')
    if (!link.getAttribute('href')?.startsWith('/')) link.setAttribute('target', '_blank')
  }
}

/** The HTML Sanitizer API, which is missing in the type library. */
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
