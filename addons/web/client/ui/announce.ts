let region: HTMLElement | undefined

/** Tells assistive technology what happened without a change of focus: a card moved, a row added. */
export function announce(text: string): void {
  if (!region) {
    region = Object.assign(document.createElement('div'), { className: 'vh', role: 'status' })
    document.body.append(region)
  }
  // The same sentence twice is told twice.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text
}
