import { render } from 'preact'
import { useState } from 'preact/hooks'
import { hotkeys } from '../../../addons/web/client/core/hotkeys.ts'
import { Avatar } from '../../../addons/web/client/ui/avatar.tsx'
import { Button } from '../../../addons/web/client/ui/button.tsx'
import { Combobox, type Option } from '../../../addons/web/client/ui/combobox.tsx'
import { confirm, DialogHost } from '../../../addons/web/client/ui/dialog.tsx'
import { Empty } from '../../../addons/web/client/ui/empty.tsx'
import { MenuButton } from '../../../addons/web/client/ui/menu.tsx'
import { Pager } from '../../../addons/web/client/ui/pager.tsx'
import { SafeHtml } from '../../../addons/web/client/ui/safe-html.tsx'
import { SkeletonRows } from '../../../addons/web/client/ui/skeleton.tsx'
import { Tabs } from '../../../addons/web/client/ui/tabs.tsx'
import { showToast, ToastHost } from '../../../addons/web/client/ui/toasts.tsx'
import { installTooltips } from '../../../addons/web/client/ui/tooltip.ts'
import { Controls } from './controls.tsx'
import './page.css'

const CUSTOMERS = ['Brightwater Clinic', 'Bristol Harbour', 'Kestrel Logistics']

/** A test may hold back what the server answers. */
export interface HeldPage {
  held?: Promise<void>
  release?: () => void
}

/** The server, which offers to make what is not there. */
async function findCustomers(typed: string): Promise<readonly Option<number>[]> {
  await (window as HeldPage).held
  const found = CUSTOMERS.filter((name) => name.toLowerCase().includes(typed.toLowerCase()))
  const made = typed === '' || typed === 'zzz' ? [] : [{ label: `Create “${typed}”`, value: 99, isNew: true }]
  return [...found.map((label, value) => ({ label, value })), ...made]
}

/** Every component once, for a real browser under the real policy. What happens is written into `said`. */
function Page() {
  const [said, setSaid] = useState<readonly string[]>([])
  const say = (text: string) => setSaid((before) => [...before, text])
  const [tab, setTab] = useState('lines')
  const [customer, setCustomer] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [offset, setOffset] = useState(0)
  return (
    <>
      <main class="stage">
        <h1>Components</h1>
        <MenuButton
          label="Actions"
          items={() => [
            { label: 'Duplicate', icon: 'copy', keys: 'mod+d', run: () => say('duplicate') },
            { label: 'Archive', icon: 'archive', run: () => say('archive') },
            { label: 'Delete', icon: 'trash-2', isDanger: true, isSeparated: true, run: () => say('delete') },
          ]}
        />
        <Button label="Help" icon="circle-help" iconOnly kind="ghost" keys="?" />
        <Button label="Busy" kind="primary" isBusy />
        <Button
          label="Ask"
          onClick={() =>
            void confirm({
              title: 'Delete it?',
              text: 'It cannot be brought back.',
              action: 'Delete',
              isDanger: true,
            }).then((answer) => say(`answer ${answer}`))
          }
        />
        <Button
          label="Tell"
          onClick={() =>
            showToast({
              level: 'success',
              text: 'Order confirmed',
              action: { label: 'Undo', run: () => say('undone') },
            })
          }
        />
        <div class="field">
          <label class="label" for="customer">
            Customer
          </label>
          <Combobox<number>
            id="customer"
            text={customer}
            isInvalid={problem !== null}
            onProblem={setProblem}
            find={findCustomers}
            onChoose={(value) => {
              setCustomer(`chosen ${value}`)
              say(`customer ${value}`)
            }}
          />
        </div>
        <span class="problem">{problem}</span>
        <Tabs
          label="Pages"
          tabs={[
            { name: 'lines', label: 'Order lines', count: 5 },
            { name: 'notes', label: 'Notes' },
          ]}
          active={tab}
          onChange={setTab}
        >
          {tab}
        </Tabs>
        <Pager offset={offset} limit={80} total={200} onMove={setOffset} />
        <Avatar id={3} name="Mara Lindqvist" />
        <SafeHtml
          class="html"
          html={
            '<style>p{color:red}</style><p style="color:red">Safe <b title="a > b" style=\'x:y\'>text</b></p><img src=x onerror="window.wasHit = true"><a href="javascript:window.wasHit=true">x</a>'
          }
        />
        <Empty
          icon="shopping-cart"
          title="No orders yet"
          text="They appear here."
          actions={<Button label="New" kind="primary" />}
        />
        <SkeletonRows rows={2} />
        <Controls />
        <output class="said">{said.join(', ')}</output>
      </main>
      <DialogHost />
      <ToastHost />
    </>
  )
}

document.addEventListener('keydown', (event) => hotkeys.handle(event))
installTooltips(document)
const root = document.getElementById('app')
if (root) render(<Page />, root)
