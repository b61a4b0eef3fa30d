import { toBase64 } from '../bytes.ts'
import { pagePolicy } from '../http/headers.ts'
import type { Answer } from '../http/respond.ts'
import { directionOf, isLanguage } from '../i18n/language.ts'
import { languageOf, pageTranslator, preferredTags } from '../i18n/page-words.ts'
import type { Translate } from '../i18n/translate.ts'
import type { ClientAssets, Services } from '../services.ts'
import { type Html, html } from './html.ts'
import { icon } from './icon.ts'

/** The request that a page answers; decides its language. */
export interface PageReader {
  readonly services: Services
  readonly request: Request
  readonly caller: { readonly user: { readonly lang: string } } | null
}

export interface Page {
  readonly title: string
  readonly body: Html
  /** Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  /** What the page loads; by default what pages without the client load. */
  readonly assets?: Pick<ClientAssets, 'styles' | 'scripts'> | undefined
  /** Addon whose colour the page uses. */
  readonly app?: string
  /** Another origin that images may come from. */
  readonly images?: string | undefined
  /** Elements before the styles. */
  readonly first?: (nonce: string) => Html
  /** Further elements of the head; inline scripts need the nonce. */
  readonly head?: (nonce: string) => Html
}

const NONCE_BYTES = 18

export const languageFor = ({ caller, request }: PageReader): string =>
  caller?.user.lang ?? languageOf(request.headers.get('accept-language'))

/** The locale in which dates are written: that of the region the browser names first, as in the client. */
export function localeFor(reader: PageReader): string {
  const lang = languageFor(reader)
  const tags = preferredTags(reader.request.headers.get('accept-language'))
  // English is used in every country, so it takes the region of any preferred language.
  const tag = lang === 'en' ? tags[0]?.replace(/^.*(?=-..$)/, lang) : tags.find((each) => each.startsWith(`${lang}-`))
  return tag?.startsWith(lang) && isLanguage(tag) ? tag : lang
}

export const translatorFor = (reader: PageReader): Translate => pageTranslator(languageFor(reader))

/** A complete page with a content security policy that allows only its own files. */
export function page(reader: PageReader, options: Page): Answer {
  const { title, body, status = 200, headers, cookies, assets, app = 'sale', images, first, head } = options
  const nonce = toBase64(reader.services.random(NONCE_BYTES))
  const { styles = [], scripts = [] } = assets ?? reader.services.clientAssets?.page ?? {}
  const lang = languageFor(reader)
  const markup = html`<!doctype html>
<html lang="${lang}" dir="${directionOf(lang)}" data-app="${app}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Modulus</title>
<link rel="icon" href="data:,">
${first?.(nonce)}
${styles.map((href) => html`<link rel="stylesheet" href="${href}">`)}
${scripts.map((src) => html`<script type="module" nonce="${nonce}" src="${src}"></script>`)}
${head?.(nonce)}
</head>
<body>
${body}
</body>
</html>
`
  return {
    status,
    kind: 'html',
    body: markup.markup,
    headers: { 'content-security-policy': pagePolicy(nonce, images), ...headers },
    ...(cookies && { cookies }),
  }
}

/** A page with one narrow column, as for sign-in. */
export function boxPage(reader: PageReader, { title, body, ...rest }: Page): Answer {
  const t = translatorFor(reader)
  const box = html`<div class="corner"><button type="button" class="btn icon ghost" aria-label="${t('Switch theme')}" data-toggle-theme hidden>${icon('theme')}</button></div>
<main class="auth"><div class="authbox">${brand}<h1>${title}</h1>
${body}</div></main>`
  return page(reader, { title, body: box, ...rest })
}

export const brand = html`<span class="brand"><span class="tile l">${icon('logo')}</span><span>Modulus</span></span>`

/** One sentence above a form. */
export const note = (kind: 'danger' | 'success' | 'info', text: string): Html =>
  html`<div class="note ${kind}" role="${kind === 'danger' ? 'alert' : 'status'}">${icon(kind === 'success' ? 'check' : 'alert')}<span>${text}</span></div>`
