import { t } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { findOptions, resolveChoice } from '../edit/relation.ts'
import { labelOf } from '../value/control.ts'
import type { LinesModel } from './model.ts'

/** A combobox that adds records to a many2many, one after the other. */
export const AddLink = ({ of: props, model }: { readonly of: FieldProps; readonly model: LinesModel }) => (
  <div class="addbar">
    <Combobox
      isMulti
      id={`${props.id}-add`}
      label={t('Add to {field}', { field: labelOf(props) })}
      text=""
      icon="plus"
      class="quiet"
      placeholder={t('Add')}
      find={(typed, signal) => findOptions(props, typed, signal, model.lines().rows)}
      onChoose={(choice) => {
        void resolveChoice(props, choice).then((chosen) => chosen && model.link(chosen.id))
      }}
    />
  </div>
)
