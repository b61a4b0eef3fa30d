import DOMPurify from 'dompurify'

/** What the server's own cleaner lets through. */
const ALLOWED = {
  ALLOWED_TAGS: [
    'p',
    'br',
    'b',
    'strong',
    'i',
    'em',
    'u',
    's',
    'ul',
    'ol',
    'li',
    'a',
    'blockquote',
    'code',
    'pre',
    'h1',
    'h2',
    'h3',
    'span',
    'div',
  ],
  ALLOWED_ATTR: ['href', 'title'],
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|tel:|\/(?!\/))/i,
}

/**
 * Browsers apply the page's policy even to documents nobody sees, so styles go before anything is parsed. What is left is cleaned
 * like any other text; nothing depends on this to be safe.
 */
const withoutStyles = (html: string): string =>
  html
    .replaceAll(/<style\b[\s\S]*?(?:<\/style\s*>|$)/gi, '')
    .replaceAll(/<[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/gi, (tag) => tag.replaceAll(/([\s"'/])style(?=\s*=)/gi, '$1data-s'))

const purify = (html: string): string => DOMPurify.sanitize(withoutStyles(html), ALLOWED)

interface HtmlPolicy {
  createHTML(html: string): unknown
}

interface PolicyFactory {
  createPolicy(name: string, rules: { readonly createHTML: (html: string) => string }): HtmlPolicy
}

/** With Trusted Types the policy makes what the browser accepts; without them the text itself is. */
const policy: HtmlPolicy = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy(
  'modulus-html',
  {
    createHTML: purify,
  },
) ?? { createHTML: purify }

export const cleanHtml = purify

/** Cleaned HTML as nodes, for an editor, which may need more inside than it gives out. */
export const cleanFragment = (
  html: string,
  more: { readonly ADD_TAGS?: string[]; readonly ADD_ATTR?: string[] } = {},
): DocumentFragment => DOMPurify.sanitize(withoutStyles(html), { ...ALLOWED, ...more, RETURN_DOM_FRAGMENT: true })

/** Puts cleaned HTML into an element; links open beside the application. */
export function setCleanHtml(element: Element, html: string): void {
  // TrustedHTML where there are Trusted Types, text elsewhere: `innerHTML` takes both, its type knows only text.
  element.innerHTML = policy.createHTML(html) as string
  for (const link of element.querySelectorAll('a[href]')) {
    link.setAttribute('rel', 'noopener noreferrer')
    if (!link.getAttribute('href')?.startsWith('/')) link.setAttribute('target', '_blank')
  }
}
