import type { FieldProps } from '../../core/registries.ts'
import { boxClass, controlOf, placeholderOf } from '../value/control.ts'
import { ReadOnly } from '../value/read-only.tsx'
import type { Parsed } from '../value/values.ts'
import { textOf } from '../value/values.ts'
import { formatJson, parseDomain, parseJson } from './source-text.ts'
import { useTypedValue } from './use-typed-value.ts'

interface SourceProps {
  readonly of: FieldProps
  readonly text: string
  readonly parse: (text: string) => Parsed
}

/** A monospaced text with a syntax: validated while typing, and written to the draft whenever it is valid. */
function Source({ of: props, text, parse }: SourceProps) {
  const { text: typed, ...typing } = useTypedValue(props, parse)
  if (props.readonly) {
    return (
      <ReadOnly of={props} class="code lines-kept">
        {text}
      </ReadOnly>
    )
  }
  const isWrong = typed !== null && 'problem' in parse(typed)
  return (
    <textarea
      {...controlOf(props)}
      aria-invalid={isWrong || props.error !== null || undefined}
      class={boxClass(props, 'textarea', 'code')}
      rows={3}
      spellcheck={false}
      placeholder={placeholderOf(props)}
      value={typed ?? text}
      onInput={({ currentTarget: { value } }) => typing.type(value)}
      onKeyDown={({ key }) => key === 'Escape' && typing.cancel()}
      onFocus={typing.focus}
      onBlur={typing.blur}
    />
  )
}

export const JsonField = (props: FieldProps) => <Source of={props} text={formatJson(props.value)} parse={parseJson} />

export const DomainField = (props: FieldProps) => <Source of={props} text={textOf(props.value)} parse={parseDomain} />
