import { services } from '../services.ts'

let isLeaving = false

/** For who replaces the session: until that has failed, the end of the old one is expected and leads nowhere. */
export function setLeaving(leaving: boolean): void {
  isLeaving = leaving
}

/** The sign-in page, which says that the session has ended, and back here afterwards; drafts wait in the tab's storage, so nobody asks about them. */
export function signIn(): void {
  if (isLeaving) return
  isLeaving = true
  services().router.guards.release()
  const { pathname, search, hash } = location
  location.assign(`/web/login?${new URLSearchParams({ next: pathname + search + hash, msg: 'ended' })}`)
}
