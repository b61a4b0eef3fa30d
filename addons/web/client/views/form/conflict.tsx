import { Button, Dialog, Icon, openDialog, t, tn, useState } from '../../sdk.ts'
import type { RecordConflict } from '../../sdk-edit.ts'
import { labelOf } from './arch.ts'
import type { FormModel } from './model.ts'
import { textOf } from './value-text.ts'

export type Choice = 'mine' | 'theirs'
export type Choices = Readonly<Record<string, Choice>>

/** Two people changed the same fields: whose values stay, field by field. Null goes back to the form. */
export const askMineOrTheirs = (form: FormModel, conflict: RecordConflict): Promise<Choices | null> =>
  openDialog<Choices | null>((close) => <Conflict form={form} conflict={conflict} onClose={close} />)

interface ConflictProps {
  readonly form: FormModel
  readonly conflict: RecordConflict
  readonly onClose: (choices: Choices | null) => void
}

function Conflict({ form, conflict, onClose }: ConflictProps) {
  const names = Object.keys(conflict.fields)
  const [choices, setChoices] = useState<Choices>(Object.fromEntries(names.map((name) => [name, 'mine' as const])))
  return (
    <Dialog
      title={t('Somebody else saved this meanwhile')}
      class="conflict"
      onClose={() => onClose(null)}
      footer={
        <>
          <Button label={t('Go on editing')} onClick={() => onClose(null)} />
          <Button label={t('Save')} kind="primary" onClick={() => onClose(choices)} />
        </>
      }
    >
      <div class="note warning">
        <Icon name="git-merge" />
        <span>
          {tn(
            names.length,
            'One field was changed by both of you. All other changes are merged.',
            '{n} fields were changed by both of you. All other changes are merged.',
          )}
        </span>
      </div>
      {names.map((name) => (
        <FieldChoice
          key={name}
          form={form}
          name={name}
          conflict={conflict}
          choice={choices[name] ?? 'mine'}
          onChoose={(choice) => setChoices({ ...choices, [name]: choice })}
        />
      ))}
    </Dialog>
  )
}

interface FieldChoiceProps {
  readonly form: FormModel
  readonly name: string
  readonly conflict: RecordConflict
  readonly choice: Choice
  readonly onChoose: (choice: Choice) => void
}

function FieldChoice({ form, name, conflict, choice, onChoose }: FieldChoiceProps) {
  const field = form.arch.fields.get(name)
  const node = form.arch.fieldNodes.find(({ attrs }) => attrs['name'] === name)
  const both = conflict.fields[name]
  if (!field || !both) return null
  // The draft has names of links, what was sent has only ids.
  const mine = form.draft.get(name)
  const text = (value: unknown) => textOf(value, field, form.record, node?.attrs['widget']) || t('empty')
  const option = (which: Choice, label: string, value: unknown) => (
    <label class={`opt pickc${choice === which ? ' on' : ''}`}>
      <input
        type="radio"
        class="radio"
        name={`conflict-${name}`}
        checked={choice === which}
        onChange={() => onChoose(which)}
      />
      <span>
        {label} <b>{text(value)}</b>
      </span>
    </label>
  )
  return (
    <fieldset class="conf">
      <legend class="t2">{node ? labelOf(node, field) : field.label}</legend>
      {option('mine', t('Mine:'), mine)}
      {option('theirs', t('Theirs:'), both.theirs)}
    </fieldset>
  )
}
