let region: HTMLElement | undefined

/** Announces a text to screen readers without moving the focus: a card was moved, a row was added. */
export function announce(text: string): void {
  if (!region) {
    region = Object.assign(document.createElement('div'), { className: 'vh', role: 'status' })
    document.body.append(region)
  }
  // The non-breaking space changes the content, so that the same text is announced again.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text
}
