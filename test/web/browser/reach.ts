import type { Page } from 'playwright-core'

/** Controls that nobody can reach: outside the screen, and in nothing that scrolls. */
export const unreachable = (page: Page) =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/(auto|scroll)/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    const lost = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, h1')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 1 && (left < -1 || right > clientWidth + 1) && !scrolls(element.parentElement)
      })
      .filter((element) => !element.matches('.skip') && element.closest('#nav') === null)
      .map((element) => element.getAttribute('aria-label') ?? element.textContent?.trim() ?? element.tagName)
    return { overflow: Math.max(0, scrollWidth - clientWidth), lost }
  })

/** Links and buttons whose text is wider than they are, and so overlaps what is beside them. */
export const overfull = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href], button')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 4)
      .filter((element) => getComputedStyle(element).overflowX === 'visible' && element.closest('#nav') === null)
      .map((element) => element.getAttribute('aria-label') ?? element.textContent?.trim() ?? element.tagName),
  )
