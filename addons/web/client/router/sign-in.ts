import { services } from '../services.ts'

let isLeaving = false

/** Set while the client replaces its own session: the end of the old session is then expected and does not lead to the sign-in page. */
export function setLeaving(leaving: boolean): void {
  isLeaving = leaving
}

/** Goes to the sign-in page, which leads back here afterwards. Drafts are kept in the tab's storage, so no guard asks about them. */
export function signIn(): void {
  if (isLeaving) return
  isLeaving = true
  services().router.guards.release()
  const { pathname, search, hash } = location
  location.assign(`/web/login?${new URLSearchParams({ next: pathname + search + hash, msg: 'ended' })}`)
}
