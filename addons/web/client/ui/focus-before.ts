/** Gives the focus to the control before a button that disappears when it is pressed; otherwise it would fall back to the page. */
export function focusBefore({ currentTarget }: MouseEvent): void {
  const before = (currentTarget as HTMLElement).previousElementSibling
  if (before instanceof HTMLElement) before.focus()
}
