import { deferredComponent } from '../../../core/deferred.tsx'
import { formParts } from '../model/deferred-parts.ts'
import type { FormModel } from '../model/model.ts'
import { FormField } from './field.tsx'
import { Element, Elements } from './layout.tsx'
import { SmartButtons } from './smart-buttons.tsx'

/** The sheet of a record: notices, title and fields. */
export function Sheet({ form }: { readonly form: FormModel }) {
  const { avatar, headline, smart, body } = form.arch
  const hasHead = avatar !== null || headline.length > 0 || smart.length > 0
  return (
    <div class="sheet" aria-busy={form.isOpening.value}>
      <Notices form={form} />
      {hasHead && (
        <div class="headline">
          {avatar && <FormField form={form} node={avatar} style="block" />}
          <div class="heads">
            {headline.map((node, index) => (
              <Element key={index} form={form} node={node} />
            ))}
          </div>
          <SmartButtons form={form} />
        </div>
      )}
      <Elements form={form} nodes={body} />
    </div>
  )
}

/** Loaded after the record is drawn. */
const Notices = deferredComponent(formParts, (parts) => parts.Notices)
