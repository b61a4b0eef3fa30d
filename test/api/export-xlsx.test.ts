import { beforeAll, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { describeHosts, type Host } from '../support/hosts.ts'
import { unzip } from '../support/unzip.ts'

describeHosts('GET /web/export/xlsx', (host: Host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
  })

  const open = async (query: string) => {
    const response = await admin.get(`/web/export/xlsx?${query}`)
    expect(response.status).toBe(200)
    return { response, files: unzip(Buffer.from(await response.arrayBuffer())) }
  }

  test('is a workbook with real numbers, dates and texts, which no program runs as formulas', async () => {
    const author = await admin.must<number>('library.author', 'create', [{ name: '=1+1 & <b>' }])
    const id = await admin.must<number>('library.book', 'create', [
      {
        title: "=cmd|'/C calc'!A0",
        pages: 12,
        price: 1234.5,
        is_rare: true,
        published_on: '2026-01-31',
        author_id: author,
      },
    ])
    const fields = 'title,pages,price,is_rare,published_on,author_id,create_date,isbn'
    const { response, files } = await open(`model=library.book&id=${id}&fields=${fields}`)
    expect(response.headers.get('content-type')).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    )
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="Book.xlsx"')
    expect([...files.keys()]).toEqual([
      'xl/worksheets/sheet1.xml',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      '_rels/.rels',
      '[Content_Types].xml',
    ])
    const sheet = files.get('xl/worksheets/sheet1.xml')!
    const [, , row = ''] = sheet.split('<row>')
    expect(row).toContain(`<t xml:space="preserve">=cmd|'/C calc'!A0</t>`)
    expect(row).toContain(
      '<c s="2"><v>12</v></c><c s="3"><v>1234.5</v></c><c t="b"><v>1</v></c><c s="4"><v>46053</v></c>',
    )
    expect(row).toContain('=1+1 &amp; &lt;b&gt;')
    expect(row).toMatch(/<c s="5"><v>\d{5}\.\d+<\/v><\/c><c\/><\/row>/)
    expect(sheet).not.toContain('<f>')
    expect(sheet).toMatch(/<cols><col min="1" max="1" width="19" customWidth="1"\/>/)
    await admin.must('library.book', 'unlink', [[id]])
    await admin.must('library.author', 'unlink', [[author]])
  })

  test('holds as many rows as there are, and only a header if there are none', async () => {
    const { files } = await open('model=core.country&fields=name,code&labels=1')
    const count = await admin.must<unknown[]>('core.country', 'search_read', [[], ['id']])
    expect(files.get('xl/worksheets/sheet1.xml')!.split('<row>')).toHaveLength(count.length + 2)
    const none = await open('model=core.country&fields=name&domain=[["name","=","Atlantis"]]')
    expect(none.files.get('xl/worksheets/sheet1.xml')!.split('<row>')).toHaveLength(2)
  })

  test('has a bold last row with the sums, and the headings of the caller', async () => {
    const headings = encodeURIComponent('["Book","Cost"]')
    const euro = encodeURIComponent('[["currency_id.name","=","EUR"]]')
    const { files } = await open(`model=library.book&fields=title,price&domain=${euro}&headings=${headings}&totals=1`)
    const sheet = files.get('xl/worksheets/sheet1.xml')!.split('<row>')
    expect(sheet[1]).toContain('>Cost</t>')
    const prices = sheet.slice(2, -1).flatMap((row) => /<c s="3"><v>([\d.]+)</.exec(row)?.[1] ?? [])
    const sum = Math.round(prices.reduce((total, price) => total + Number(price), 0) * 100) / 100
    expect(sheet.at(-1)).toMatch(new RegExp(`^<c s="1".*>Total</t></is></c><c s="6"><v>${sum}</v></c></row>`))
  })

  test('is refused like the CSV file, before its first byte', async () => {
    const refused = await admin.get('/web/export/xlsx?model=core.country&fields=name&domain=[["x","=",1]]', {
      accept: 'application/json',
    })
    expect(refused.status).toBe(400)
    await refused.body?.cancel()
  })
})
