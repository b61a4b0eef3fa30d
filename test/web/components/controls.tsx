import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import type { FieldProps } from '../../../addons/web/client/core/registries.ts'
import { BinaryField } from '../../../addons/web/client/fields/edit/binary.tsx'
import { CheckboxesInput } from '../../../addons/web/client/fields/edit/checkboxes.tsx'
import { EDITORS } from '../../../addons/web/client/fields/edit/editors.ts'
import { ReferenceField } from '../../../addons/web/client/fields/edit/reference.tsx'
import { JsonField } from '../../../addons/web/client/fields/edit/source.tsx'
import { provideServices } from '../../../addons/web/client/services.ts'
import { type InvalidText, isInvalidText } from '../../../addons/web/client/store/invalid-text.ts'
import { createRecords } from '../../../addons/web/client/store/records.ts'
import { Button } from '../../../addons/web/client/ui/button.tsx'

const CONTROLS: readonly (readonly [name: string, Control: ComponentType<FieldProps>, begin: unknown])[] = [
  ['Revenue', EDITORS.money, null],
  ['Weight', EDITORS.float, 2],
  ['Payload', JsonField, { a: 1 }],
  ['Mail', EDITORS.email, 'ann@example.com'],
  ['Phone', EDITORS.phone, '+49 30 1234'],
  ['Website', EDITORS.url, 'example.com/a'],
  ['Contract', BinaryField, btoa('signed')],
  ['About', ReferenceField, null],
  ['Colours', CheckboxesInput, [2]],
]

const NAMES: ByName<readonly string[]> = { 'shop.customer': ['Ann', 'Bob'], 'shop.colour': ['Red', 'Green', 'Blue'] }

/** The server, as far as links ask it. */
async function call(model: string, _method: string, [domain]: readonly [readonly unknown[]]): Promise<unknown> {
  const typed = JSON.stringify(domain).match(/"ilike","(\w+)"/)?.[1] ?? ''
  const rows = (NAMES[model] ?? []).map((name, index) => ({ id: index + 1, display_name: name }))
  return rows.filter(({ display_name }) => display_name.includes(typed))
}

const menus = [{ id: 1, name: 'Customers', href: '/web', model: 'shop.customer', children: [] }]
provideServices({
  rpc: { call, read: async () => [] },
  records: createRecords(),
  session: { bootstrap: { topMenus: menus, user: { id: 1 }, company: { id: 1 } } },
} as never)

type ByName<T> = Readonly<Record<string, T>>

const BEGIN: ByName<unknown> = Object.fromEntries(CONTROLS.map(([name, , begin]) => [name, begin]))

/** Controls of fields in a record of their own, which can be discarded. */
export function Controls() {
  const [values, setValues] = useState(BEGIN)
  const [wrong, setWrong] = useState<ByName<string | InvalidText | null>>({})
  return (
    <section>
      {CONTROLS.map(([name, Control]) => {
        const problem = wrong[name] ?? null
        const invalidText = isInvalidText(problem) ? problem : undefined
        const error = invalidText ? (invalidText.isTyping ? null : invalidText.problem) : (problem as string | null)
        return (
          <div key={name}>
            <label for={name}>{name}</label>
            <Control
              id={name}
              field={{
                name,
                type: 'float',
                label: name,
                digits: [16, 2],
                currencyField: 'currency_id',
                relation: 'shop.colour',
              }}
              node={{ tag: 'field', attrs: {}, children: [], addon: 'shop' }}
              record={{ model: 'shop.order', id: 1, get: (other) => (other === 'currency_id' ? [1, 'EUR'] : null) }}
              value={values[name]}
              readonly={false}
              required={false}
              error={error}
              invalidText={invalidText}
              view="form"
              onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
              onInvalid={(message) => setWrong((before) => ({ ...before, [name]: message }))}
            />
            <span id={`${name}-error`}>{error}</span>
          </div>
        )
      })}
      <Button
        label="Discard all"
        onClick={() => {
          setValues(BEGIN)
          setWrong({})
        }}
      />
      <output class="values">{JSON.stringify(values)}</output>
    </section>
  )
}
