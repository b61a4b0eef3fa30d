import { expect, test } from 'vitest'
import { attachment } from '../../kernel/http/download.ts'

test.each([
  ['sale.order.csv', 'attachment; filename="sale.order.csv"'],
  [
    'Angebote & Aufträge.csv',
    `attachment; filename="Angebote & Auftrage.csv"; filename*=UTF-8''Angebote%20%26%20Auftr%C3%A4ge.csv`,
  ],
  ['見積.csv', `attachment; filename="__.csv"; filename*=UTF-8''%E8%A6%8B%E7%A9%8D.csv`],
  ['a"b;c%d.csv', `attachment; filename="a_b_c_d.csv"; filename*=UTF-8''a_b%3Bc%25d.csv`],
  ['../../etc/passwd', `attachment; filename="_.._etc_passwd"`],
  ['x\r\nSet-Cookie: a=b.csv', 'attachment; filename="x__Set-Cookie_ a=b.csv"'],
  ['a\\b:c*d?.csv', 'attachment; filename="a_b_c_d_.csv"'],
  ["it's (1).csv", `attachment; filename="it's (1).csv"`],
  ['\u202egpj.exe', 'attachment; filename="_gpj.exe"'],
  ['\ud800.csv', 'attachment; filename="_.csv"'],
  ['', 'attachment; filename="file"'],
  ['...', 'attachment; filename="file"'],
])('the file %j is announced as %s', (name, header) => {
  expect(attachment(name)).toBe(header)
  expect(() => new Headers({ 'content-disposition': attachment(name) })).not.toThrow()
})
