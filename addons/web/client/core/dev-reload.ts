const INTERVAL_MS = 700

/** Only in builds of `npm run dev`: loads the page again when there is a new build. Waits for a server that is restarting. */
export function reloadOnBuild(): void {
  let seen: string | null = null
  setInterval(async () => {
    const answer = await fetch('/web/static/build.txt', { cache: 'no-store' }).catch(() => null)
    if (!answer?.ok) return
    const build = await answer.text()
    if (seen !== null && seen !== build) location.reload()
    seen = build
  }, INTERVAL_MS)
}
