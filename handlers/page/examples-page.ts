import type { Answer } from '../../kernel/http/respond.ts'
import type { ExampleUser } from '../../kernel/module/example-users.ts'
import { html } from '../../kernel/page/html.ts'
import { boxPage, type PageReader, translatorFor } from '../../kernel/page/layout.ts'

/** The last page of a set-up with demo data: the way to the home page, and a link for each example user. */
export function examplesPage(reader: PageReader, examples: readonly ExampleUser[], cookies: readonly string[]): Answer {
  const t = translatorFor(reader)
  const items = examples.map(
    ({ name, login, company, roles, link }) =>
      html`<li class="hs"><span><span class="med">${name}</span><br><span class="t3 fs12">${[login, company, ...roles].join(' · ')}</span></span><a class="btn end" href="${pathOf(link)}" target="_blank" rel="noreferrer" aria-label="${t('Choose a password for {name}', { name })}">${t('Choose a password')}</a></li>`,
  )
  return boxPage(reader, {
    title: t('Modulus is set up'),
    headers: { 'referrer-policy': 'no-referrer' },
    cookies,
    body: html`<p class="t2">${t('You are signed in as the administrator.')}</p>
<div><a class="btn primary lg block" href="/web/home" autofocus>${t('Start')}</a></div>
<section class="fields"><h2>${t('Try it as somebody else')}</h2><p class="t2">${t(
      'The demo data has these users. With a link you choose a password for one of them, then you sign in with their login. A link works once, for half an hour, and is not shown again.',
    )}</p><ul class="sessions">${items}</ul></section>`,
  })
}

/** The path of a link: the visitor may have used another host name than the one in links. */
const pathOf = (link: string): string => {
  const { pathname, search } = new URL(link)
  return pathname + search
}
