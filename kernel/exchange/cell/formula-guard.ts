/** Matches the beginning of a formula as spreadsheets see it, after any number of apostrophes that the guard added. */
const FORMULA = /^'*[=+\-@\t\r\n]/

/**
 * Text that no spreadsheet runs as a formula: an apostrophe is put in front of anything that could be one. Text that looks guarded
 * already gets another one, so that `unguardFormula` restores the original text exactly.
 */
export const guardFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

export const unguardFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
