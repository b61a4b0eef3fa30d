import type { AppError } from '../errors.ts'
import { safeNext } from '../http/next.ts'
import type { Answer } from '../http/respond.ts'
import { html } from './html.ts'
import { boxPage, type PageReader, translatorFor } from './layout.ts'

/** A page with the error message, what to do next, and the request id of the log. */
export function errorPage(reader: PageReader, error: AppError, requestId: string): Answer {
  const t = translatorFor(reader)
  const confirm = confirmAddress(reader, error)
  const title = t(TITLES[error.status] ?? (error.status < 500 ? 'This did not work' : 'Something went wrong'))
  return boxPage(reader, {
    title,
    status: error.status,
    body: html`<p class="t2">${t(error.message)}</p>
<div class="hs">${confirm !== null && html`<a class="btn primary lg" href="${confirm}">${t('Confirm')}</a>`}${mayReturn(reader, error) && html`<a class="btn primary lg" data-retry href="">${t('Try again')}</a>`}<a class="btn lg" href="/">${t('Back to the start')}</a></div>
<p class="t3 fs12">${t('Request')} <code class="mono">${requestId}</code></p>`,
  })
}

/** Whether loading the page again later can help; the page then also reloads automatically. */
const mayReturn = ({ request }: PageReader, { status }: AppError): boolean => status === 503 && request.method === 'GET'

/** The address of the password confirmation, if that was missing; it leads back to the page with the form. */
function confirmAddress({ request }: PageReader, { details }: AppError): string | null {
  const { confirm } = details
  if (typeof confirm !== 'string') return null
  const referrer = request.headers.get('referer') ?? ''
  const from = URL.canParse(referrer) ? new URL(referrer) : null
  return `${confirm}?${new URLSearchParams({ next: safeNext(from && from.pathname + from.search) })}`
}

const TITLES: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Page not found',
  405: 'Page not found',
  429: 'Too many requests',
  503: 'Not available right now',
}
