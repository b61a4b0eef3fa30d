/** Scrolls to the position when the content has grown, unless the user scrolls before: a long list knows its height only after its first rows. */
export function scrollFurther(part: Element, top: number): void {
  const content = part.firstElementChild
  if (!content) return
  let reached = part.scrollTop
  const observer = new ResizeObserver(() => {
    const isScrolled = part.scrollTop !== reached
    if (!isScrolled) part.scrollTop = top
    reached = part.scrollTop
    if (isScrolled || reached >= top - 1) observer.disconnect()
  })
  observer.observe(content)
}
