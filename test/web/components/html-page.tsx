import { render } from 'preact'
import { HtmlEditor } from '../../../addons/web/client/fields/edit/html-editor.tsx'
import { useState } from '../../../addons/web/client/sdk.ts'
import { cleanFragment, setCleanHtml } from '../../../addons/web/client/ui/sanitize.ts'

/** Elements and attributes that clean HTML never has. */
const findUnclean = (root: ParentNode): readonly string[] => {
  const ELEMENTS =
    /^(a|b|blockquote|br|caption|code|d[dlt]|del|div|em|h[1-6r]|i|ins|li|mark|ol|p|pre|s|small|span|strong|su[bp]|table|t(body|d|foot|h|head|r)|ul?)$/i
  const ATTRIBUTES = /^(href|title|data-mention|rel|target)$/
  const ADDRESS = /^(https?:\/\/|mailto:|tel:|\/(?![/\\]))/i
  return [...root.querySelectorAll('*')].flatMap((element) => [
    ...(ELEMENTS.test(element.localName) && element.namespaceURI!.endsWith('xhtml') ? [] : [element.localName]),
    ...[...element.attributes].flatMap(({ name, value }) =>
      ATTRIBUTES.test(name) && (name !== 'href' || ADDRESS.test(value)) ? [] : [`${name}=${value}`],
    ),
  ])
}

/** What the tests call inside the page. */
declare global {
  var html: {
    readonly cleanFragment: typeof cleanFragment
    readonly findUnclean: typeof findUnclean
    readonly setCleanHtml: typeof setCleanHtml
  }
}
globalThis.html = { cleanFragment, findUnclean, setCleanHtml }

/** A place to put cleaned HTML into, and an editor whose value is written below it. */
function Page() {
  const [value, setValue] = useState<unknown>('<p>Hello</p>')
  return (
    <main>
      <h1>Components</h1>
      <div id="shown" />
      <HtmlEditor
        id="notes"
        field={{ name: 'notes', type: 'html', label: 'Notes' }}
        node={{ tag: 'field', attrs: {}, children: [], addon: 'shop' }}
        record={{ model: 'shop.order', id: 1, get: () => null }}
        value={value}
        readonly={false}
        required={false}
        error={null}
        view="form"
        onChange={setValue}
        onInvalid={() => undefined}
      />
      <output>{String(value)}</output>
    </main>
  )
}

render(<Page />, document.getElementById('app')!)
