import { useRef } from 'preact/hooks'
import { formatBytes } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { services } from '../../services.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { focusBefore } from '../../ui/focus-before.ts'
import { Icon } from '../../ui/icon.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { controlOf, labelOf } from '../value/control.ts'
import { sizeOf } from '../value/format-value.ts'
import { ReadOnly } from '../value/read-only.tsx'
import { textOf } from '../value/values.ts'
import { download, FileRefused, fromBase64, pictureType, readFile, readPicture } from './file.ts'
import './binary.css'

interface PickerProps {
  readonly of: FieldProps
  readonly accept?: string
  readonly read: (file: File) => Promise<string>
}

/** A hidden file input that is opened by a button. */
function useFilePicker({ of: props, accept, read }: PickerProps) {
  const input = useRef<HTMLInputElement>(null)
  const take = (file: File | undefined) => {
    if (!file) return
    read(file).then(
      (base64) => {
        props.onInvalid?.(null)
        props.onChange(base64)
      },
      (error: unknown) => {
        if (!(error instanceof FileRefused)) showError(error)
        else if (props.onInvalid) props.onInvalid(error.message)
        else showToast({ level: 'error', text: error.message })
      },
    )
  }
  const element = (
    <input
      {...controlOf(props)}
      ref={input}
      class="vh"
      type="file"
      tabIndex={-1}
      {...(accept !== undefined && { accept })}
      onChange={({ currentTarget }) => {
        take(currentTarget.files?.[0])
        currentTarget.value = ''
      }}
    />
  )
  return { element, take, open: () => input.current?.click() }
}

const fileName = ({ node, record, field }: FieldProps): string =>
  textOf(record.get(node.attrs['filename'] ?? '')) || `${field.name}.bin`

async function save(props: FieldProps): Promise<void> {
  const { value, record, field } = props
  let base64: unknown = value
  // Lists load only the size of a file, so its content is read here.
  if (typeof value === 'number' && record.id !== null) {
    const [row] = await services().rpc.read(record.model, [record.id], [field.name])
    base64 = row?.[field.name]
  }
  if (typeof base64 === 'string') download(fromBase64(base64), fileName(props))
}

/** A file: shows its size, with buttons to download, replace and remove it. */
export function BinaryField(props: FieldProps) {
  const picker = useFilePicker({ of: props, read: readFile })
  const size = sizeOf(props.value)
  if (size === null && props.readonly) return <ReadOnly of={props} />
  return (
    <div class="filefield">
      {size !== null && (
        <Button label={t('Download')} icon="download" kind="ghost" onClick={() => void save(props).catch(showError)}>
          <span class="t3">{formatBytes(size)}</span>
        </Button>
      )}
      {!props.readonly && (
        <>
          {picker.element}
          <Button
            label={size === null ? t('Upload a file') : t('Replace')}
            icon="upload"
            kind="ghost"
            onClick={picker.open}
          />
          {size !== null && (
            <Button label={t('Remove')} icon="x" iconOnly kind="ghost" onClick={() => props.onChange(null)} />
          )}
        </>
      )}
    </div>
  )
}

/** An image, or the initials of the record if there is none. */
export const ImageField = (props: FieldProps) =>
  props.readonly ? <ShownImage of={props} /> : <EditedImage of={props} />

function ShownImage({ of: props }: { readonly of: FieldProps }) {
  const isNothing = pictureTypeOf(props) === null && !isAvatar(props)
  return isNothing ? null : (
    <span class="imagefield">
      <Picture of={props} />
    </span>
  )
}

const base64Of = ({ value }: FieldProps): string => (typeof value === 'string' ? value : '')
const pictureTypeOf = (props: FieldProps) => pictureType(base64Of(props))
const isAvatar = ({ node }: FieldProps): boolean => (node.attrs['class'] ?? '').split(/\s+/).includes('avatar')

function Picture({ of: props }: { readonly of: FieldProps }) {
  const type = pictureTypeOf(props)
  const { record } = props
  const name = textOf(record.get('name') ?? record.get('display_name'))
  const look = isAvatar(props) && 'face'
  if (type !== null) {
    return (
      <img class={classNames('picture', look)} src={`data:${type};base64,${base64Of(props)}`} alt={labelOf(props)} />
    )
  }
  if (look && name !== '') return <Avatar id={record.id ?? 0} name={name} size="l" isNamed isRecord />
  return (
    <span class={classNames('picture none', look)} aria-hidden="true">
      <Icon name="image" size="l" />
    </span>
  )
}

function EditedImage({ of: props }: { readonly of: FieldProps }) {
  const picker = useFilePicker({ of: props, accept: 'image/png,image/jpeg,image/gif,image/webp', read: readPicture })
  const isEmpty = pictureTypeOf(props) === null
  return (
    <span
      class="imagefield"
      role="group"
      aria-label={labelOf(props)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        picker.take(event.dataTransfer?.files[0])
      }}
    >
      <Picture of={props} />
      {picker.element}
      <span class="tools">
        <Button
          label={isEmpty ? t('Add a picture') : t('Change the picture')}
          icon="pencil"
          iconOnly
          size="sm"
          onClick={picker.open}
        />
        {!isEmpty && (
          <Button
            label={t('Remove the picture')}
            icon="x"
            iconOnly
            size="sm"
            onClick={(event) => {
              focusBefore(event)
              props.onChange(null)
            }}
          />
        )}
      </span>
    </span>
  )
}
