/** A number in full digits, which spreadsheets and people read alike: never `1e-7`. */
export function decimalText(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text
}
