import { mayReadField, mayUseModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import { LIMITS } from '../limits.ts'
import { modelOf } from '../orm/statement/scope.ts'
import { type Html, html } from '../page/html.ts'

/**
 * The style that shows the pictures of users where the client draws their initials: one rule for each user with a picture. The
 * version is part of its address, so that browsers may cache it.
 */
export async function pictureStyle(env: Env): Promise<(nonce: string) => Html> {
  const rules = (await usersWithPictures(env)).map(
    ({ id, version }) =>
      `.av[data-user="${id}"]{background:url("/web/picture?id=${id}&v=${version}") center/cover;color:#0000}`,
  )
  return (nonce) => html`<style nonce="${nonce}" id="pictures">${{ markup: rules.join('\n') }}</style>`
}

async function usersWithPictures(env: Env): Promise<readonly { readonly id: number; readonly version: number }[]> {
  if (!mayUseModel(env, 'core.user', 'read') || !mayReadField(env, modelOf(env, 'core.user').fields.get('image')!))
    return []
  return env.model('core.user').searchRead([['image', '!=', null]], ['version'], { limit: LIMITS.pictures })
}
