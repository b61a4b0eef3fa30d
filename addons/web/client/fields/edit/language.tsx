import { languages } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { languageName } from '../value/language-name.ts'
import { textOf } from '../value/values.ts'
import { SelectInput } from './selection.tsx'

/** Selects one of the available languages. The current value is offered even if it is not one of them. */
export function LanguageInput(props: FieldProps) {
  const own = textOf(props.value)
  const tags = [...new Set([...languages, ...(own === '' ? [] : [own])])]
  const selection = tags.map((tag) => [tag, languageName(tag)] as const)
  return <SelectInput {...props} field={{ ...props.field, selection }} />
}
