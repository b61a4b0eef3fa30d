import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { htmlOfText, isMarkup } from '../../kernel/html/from-text.ts'
import { DOCUMENT_HTML, MESSAGE_HTML, sanitizeHtml, textOfHtml } from '../../kernel/html/sanitize.ts'
import { expectCpuBelow } from '../support/cpu-time.ts'
import { repeats } from '../support/soak.ts'
import { HTML_CORPUS } from './html-corpus.ts'

const MESSAGE = 'p|br|b|strong|i|em|ul|ol|li|a|blockquote|code|pre'
const DOCUMENT = `${MESSAGE}|div|span|u|s|del|ins|sub|sup|small|mark|h[1-6]|hr|dl|dt|dd|table|caption|thead|tbody|tfoot|tr|th|td`

/** Reads markup far more strictly than a browser: text without `<`, and tags of exactly the shape we write. */
function requireClean(markup: string, elements: string): void {
  const attribute = ` (?:href="(?:https?://|mailto:)[^\\s"<>][^"<>]*"|data-mention="[1-9][0-9]*")`
  const tag = new RegExp(`^(?:</(?:${elements})>|<(?:${elements})>|<a(?:${attribute}){0,2}>)`, 'i')
  const open: string[] = []
  for (let rest = markup; rest !== ''; ) {
    const text = /^[^<>]+/.exec(rest)?.[0]
    const piece = text ?? tag.exec(rest)?.[0]
    if (piece === undefined) throw new Error(`not clean: ${rest.slice(0, 80)}`)
    if (text === undefined) {
      const name = /[a-z0-9]+/.exec(piece)![0]
      if (piece.startsWith('</')) {
        if (open.pop() !== name) throw new Error(`closes what is not open: ${piece}`)
      } else if (name !== 'br' && name !== 'hr') open.push(name)
    } else if (/&(?!(?:#?[a-z0-9]+);)/i.test(text)) throw new Error(`bare ampersand: ${text}`)
    rest = rest.slice(piece.length)
  }
  if (open.length > 0) throw new Error(`left open: ${open}`)
}

describe('sanitizeHtml', () => {
  test(`leaves nothing of ${HTML_CORPUS.length} attacks but text and allowed elements`, () => {
    expect(HTML_CORPUS.length).toBeGreaterThanOrEqual(500)
    for (const payload of HTML_CORPUS) {
      for (const [allowed, elements] of [
        [MESSAGE_HTML, MESSAGE],
        [DOCUMENT_HTML, DOCUMENT],
      ] as const) {
        const clean = sanitizeHtml(payload, allowed)
        requireClean(clean, elements)
        expect(sanitizeHtml(clean, allowed)).toBe(clean)
      }
    }
  })

  test('cleans whatever it is given, and cleaning twice changes nothing', () => {
    const piece = fc.oneof(
      fc.constantFrom(...'< > </ /> = " \' & ; <!-- --> <!'.split(' ')),
      fc.constantFrom(
        '<p>',
        '</p>',
        '<ul>',
        '<li>',
        '</ul>',
        '<b',
        '<a href="',
        'https://x.y',
        '<td>',
        '<script>',
        '</script>',
      ),
      fc.constantFrom('&amp;', '&#60;', '&#x3c;', '&lt', '&nosuch;', '&#0;', '\u00a0', 'İ'),
      fc.string({ maxLength: 6 }),
    )
    const markup = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(markup, (text) => {
        for (const [allowed, elements] of [
          [MESSAGE_HTML, MESSAGE],
          [DOCUMENT_HTML, DOCUMENT],
        ] as const) {
          const clean = sanitizeHtml(text, allowed)
          requireClean(clean, elements)
          expect(sanitizeHtml(clean, allowed)).toBe(clean)
        }
      }),
      { numRuns: repeats(3_000, 100_000) },
    )
  })

  test.each([
    ['plain text stays', 'Tea & "cake"', 'Tea &amp; "cake"'],
    ['what is open gets closed', '<p>a<p>b<ul><li>c<li>d', '<p>a</p><p>b</p><ul><li>c</li><li>d</li></ul>'],
    ['lists nest', '<ul><li>a<ul><li>b</ul><li>c</ul>', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
    ['crossed tags are put straight', '<b>1<i>2</b>3</i>', '<b>1<i>2</i></b>3'],
    ['unknown elements leave their text', '<font color=red>red</font> <h1>big</h1>', 'red big'],
    ['names of characters stay', 'caf&eacute; &#8364; &nbsp;', 'caf&eacute; € \u00a0'],
    ['a `<` that begins no tag is text', '1 < 2 <3 a<b', '1 &lt; 2 &lt;3 a&lt;b'],
    [
      'addresses are kept in full',
      '<a href="https://x.example/?a=1&amp;b=2#c">x</a>',
      '<a href="https://x.example/?a=1&amp;b=2#c">x</a>',
    ],
    ['an address in brackets is text', '<p>Ann <ann@x.example>', '<p>Ann &lt;ann@x.example&gt;</p>'],
    ['mail too', '<a href=mailto:ann@x.example>Ann</a>', '<a href="mailto:ann@x.example">Ann</a>'],
  ])('%s', (_what, markup, clean) => {
    expect(sanitizeHtml(markup)).toBe(clean)
  })

  test('takes time in proportion to the text, whatever the text is', async () => {
    const seeds = [
      '<a ',
      '<!--',
      '<b>',
      '<script>',
      '<a href="',
      '&',
      '&amp',
      '<svg></svg>',
      '</b>',
      '<p><b>',
      '<',
      '<a b=',
      "<a b='>",
    ]
    for (const seed of seeds) {
      const text = `${seed.repeat(Math.ceil(65_536 / seed.length))}>`
      await expectCpuBelow(500, () => [sanitizeHtml(text), isMarkup(text)], seed)
    }
  })
})

describe('htmlOfText', () => {
  test('makes paragraphs, lines and links', () => {
    expect(htmlOfText('One\ntwo\r\n\r\n<three> & (https://x.example/?a=1&b="2)\n\n\n')).toBe(
      '<p>One<br>two</p><p>&lt;three&gt; &amp; (<a href="https://x.example/?a=1&amp;b=">https://x.example/?a=1&amp;b=</a>"2)</p>',
    )
  })

  test('makes what sanitizing leaves alone, with the same words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const html = htmlOfText(text)
        expect(sanitizeHtml(html)).toBe(html)
        expect(textOfHtml(html).replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
      }),
    )
  })
})

test.each([
  ['a < b and b > c', false],
  ['I <3 you', false],
  ['<p>x</p>', true],
  ['x <br> y', true],
  ['<p', false],
  ['Ann <ann@example.com> says', false],
  ['<https://x.example>', false],
  ['<svg/onload=alert(1)>', true],
  ['</p >', true],
])('isMarkup(%j) is %j', (text, expected) => {
  expect(isMarkup(text)).toBe(expected)
})
