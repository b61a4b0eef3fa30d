import { Button, Dialog, Icon, openDialog, services, t, tn, useState } from '../../sdk.ts'
import type { RecordConflict } from '../../sdk-edit.ts'
import { labelOf } from './arch.ts'
import type { FormModel } from './model.ts'
import { type Names, textOf } from './value-text.ts'

export type Choice = 'mine' | 'theirs'
export type Choices = Readonly<Record<string, Choice>>

/** Two people changed the same fields: whose values stay, field by field. Null goes back to the form. */
export async function askMineOrTheirs(form: FormModel, conflict: RecordConflict): Promise<Choices | null> {
  const names = await namesOfLinks(form, conflict)
  return openDialog<Choices | null>((close) => (
    <Conflict form={form} conflict={conflict} names={names} onClose={close} />
  ))
}

/** What the links of both are called, by field; those this user may not read stay numbers. */
async function namesOfLinks(
  { arch, draft }: FormModel,
  { fields }: RecordConflict,
): Promise<Readonly<Record<string, Names>>> {
  const all = Object.entries(fields).flatMap(([name, { theirs }]) => {
    const field = arch.fields.get(name)
    if (field?.type !== 'many2many' || field.relation === undefined) return []
    const ids = [draft.get(name), theirs].flatMap((value) => (Array.isArray(value) ? (value as readonly number[]) : []))
    return [{ name, relation: field.relation, ids: [...new Set(ids)] }]
  })
  const named = all.map(async ({ name, relation, ids }) => {
    const rows = await services()
      .rpc.read(relation, ids, ['display_name'])
      .catch(() => [])
    return [name, new Map(rows.map((row) => [row.id, String(row['display_name'])]))] as const
  })
  return Object.fromEntries(await Promise.all(named))
}

interface ConflictProps {
  readonly form: FormModel
  readonly conflict: RecordConflict
  readonly names: Readonly<Record<string, Names>>
  readonly onClose: (choices: Choices | null) => void
}

function Conflict({ form, conflict, names: named, onClose }: ConflictProps) {
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
          links={named[name]}
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
  readonly links: Names | undefined
  readonly choice: Choice
  readonly onChoose: (choice: Choice) => void
}

function FieldChoice({ form, name, conflict, links, choice, onChoose }: FieldChoiceProps) {
  const field = form.arch.fields.get(name)
  const node = form.arch.fieldNodes.find(({ attrs }) => attrs['name'] === name)
  const both = conflict.fields[name]
  if (!field || !both) return null
  // The draft has names of links, what was sent has only ids.
  const mine = form.draft.get(name)
  const text = (value: unknown) => textOf(value, field, form.record, node?.attrs['widget'], links) || t('empty')
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
