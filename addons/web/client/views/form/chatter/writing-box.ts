import type { Person } from '../../../net/bus.ts'

/** The input of a message: plain text, or the editor with formats. */
export interface WritingBox {
  readonly element: HTMLElement
  /** The text before the caret, at least its line; null while text is selected. */
  beforeCaret(): string | null
  /** Writes at the caret, as if it were typed. */
  type(text: string): void
  /** Names a person in place of the last characters before the caret. */
  mention(person: Person, replaced: number): void
}

export const plainBox = (area: HTMLTextAreaElement, onMention: (person: Person) => void): WritingBox => {
  const put = (text: string, replaced: number) => {
    const { selectionStart, selectionEnd } = area
    area.setRangeText(text, selectionStart - replaced, selectionEnd, 'end')
    area.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  return {
    element: area,
    beforeCaret: () => (area.selectionStart === area.selectionEnd ? area.value.slice(0, area.selectionStart) : null),
    type: (text) => put(text, 0),
    mention(person, replaced) {
      onMention(person)
      put(`@${person.name} `, replaced)
    },
  }
}
