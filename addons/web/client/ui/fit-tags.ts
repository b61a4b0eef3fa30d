/**
 * Shows in each cell with tags how many of them do not fit ("+2"; the style sheet wraps those out of view), and all of
 * them on hover. Runs once per frame for the drawn cells, since cells get their tags after the row.
 */
export function fitTags(page: Document): void {
  let frame = 0
  const fit = () => {
    frame = 0
    const lists = [...page.querySelectorAll<HTMLElement>('.gc > .taglist')]
    // All places are read before anything is written, so that the page is laid out once.
    const hidden = lists.map(({ children }) => {
      const tags = [...children] as HTMLElement[]
      return tags.filter(({ offsetTop }) => offsetTop > tags[0]!.offsetTop).length
    })
    for (const [at, list] of lists.entries()) {
      const more = hidden[at] ? `+${hidden[at]}` : ''
      if ((list.dataset['more'] ?? '') === more) continue
      if (more === '') {
        delete list.dataset['more']
        delete list.dataset['tip']
      } else {
        list.dataset['more'] = more
        list.dataset['tip'] = [...list.children].map(({ textContent }) => textContent).join(', ')
      }
    }
  }
  const ask = () => {
    if (frame === 0) frame = requestAnimationFrame(fit)
  }
  ask()
  new MutationObserver(ask).observe(page.body, { childList: true, subtree: true })
  const main = page.querySelector('main')
  if (main) new ResizeObserver(ask).observe(main)
}
