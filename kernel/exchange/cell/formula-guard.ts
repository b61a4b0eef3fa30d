/** What a spreadsheet takes for the beginning of a formula, behind any number of apostrophes of ours. */
const FORMULA = /^'*[=+\-@\t\r\n]/

/**
 * Text that no spreadsheet runs as a formula: an apostrophe in front of what could be one. Text that looks guarded already gets
 * another, so that `unguardFormula` gives back exactly the text there was.
 */
export const guardFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

export const unguardFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
