import { issueCsrfToken } from '../../kernel/auth/csrf.ts'
import { CONFIRM_PATH } from '../../kernel/auth/fresh.ts'
import type { Caller } from '../../kernel/auth/principal.ts'
import type { Env } from '../../kernel/env.ts'
import { notFound } from '../../kernel/errors.ts'
import { type Answer, redirect } from '../../kernel/http/respond.ts'
import { type Html, html } from '../../kernel/page/html.ts'
import { boxPage, translatorFor } from '../../kernel/page/layout.ts'
import type { Exchange } from '../../kernel/serve/route.ts'

export interface UserAction {
  readonly userId: number
  readonly title: (user: string) => string
  /** The address the form is sent to. */
  readonly action: string
  readonly submit: string
  readonly fields: Html
}

/** A form for an administrator about one user. Asks for the password first if it was not entered within ten minutes. */
export async function userActionPage(
  context: Exchange & { readonly caller: Caller; readonly env: Env },
  { userId, title, action, submit, fields }: UserAction,
): Promise<Answer> {
  const { caller, env, services, request } = context
  const { credential } = caller
  const [user] = await env.model('core.user').searchRead([['id', '=', userId]], ['name'])
  if (!user || credential.kind !== 'session') throw notFound('record_not_found', 'There is no such user.')
  const { pathname, search } = new URL(request.url)
  if (!credential.isFresh) return redirect(`${CONFIRM_PATH}?${new URLSearchParams({ next: pathname + search })}`)
  const t = translatorFor(context)
  return boxPage(context, {
    title: title(user.name),
    body: html`<form class="fields" method="post" action="${action}"><input type="hidden" name="csrf_token" value="${issueCsrfToken(credential.csrfSecret, services.random)}"><input type="hidden" name="user_id" value="${userId}">
${fields}
<div class="hs"><button type="submit" class="btn primary lg">${submit}</button><a class="btn lg ghost" href="/web?model=core.user&view_type=form&id=${userId}">${t('Cancel')}</a></div></form>`,
  })
}
