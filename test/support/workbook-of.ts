import { zipParts } from '../../kernel/exchange/workbook/zip.ts'

export const WORKBOOK = '<workbook><sheets><sheet name="Contacts" sheetId="1" r:id="rId1"/></sheets></workbook>'
export const textCell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
export const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
export const inSheet = (rows: string) => ({ 'xl/worksheets/sheet1.xml': sheetOf(rows) })
const SHEET = sheetOf(`<row>${textCell('Name')}</row><row>${textCell('Azure')}</row>`)

/** A workbook of which some parts are these. */
export async function workbookOf(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  async function* each() {
    const all = { 'xl/workbook.xml': WORKBOOK, 'xl/worksheets/sheet1.xml': SHEET, ...files }
    for (const [name, text] of Object.entries(all)) yield { name, parts: [text] }
  }
  const parts: Uint8Array[] = []
  for await (const part of zipParts(each())) parts.push(part)
  return Buffer.concat(parts)
}
