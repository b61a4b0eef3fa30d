import { useState } from 'preact/hooks'
import { t, tn } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, openDialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'

type Choice = 'mine' | 'theirs'
export type Choices = Readonly<Record<string, Choice>>

/** A value that both users changed, with both versions as text. */
export interface ConflictQuestion {
  readonly key: string
  readonly label: string
  readonly mine: string
  readonly theirs: string
}

/** Asks for each value that two users changed which version to keep. Null returns to the form without a decision. */
export const askFormConflict = (questions: readonly ConflictQuestion[]): Promise<Choices | null> =>
  openDialog<Choices | null>((close) => <Conflict questions={questions} onClose={close} />)

interface ConflictProps {
  readonly questions: readonly ConflictQuestion[]
  readonly onClose: (choices: Choices | null) => void
}

function Conflict({ questions, onClose }: ConflictProps) {
  const [choices, setChoices] = useState<Choices>(
    Object.fromEntries(questions.map(({ key }) => [key, 'mine' as const])),
  )
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
            questions.length,
            'One field was changed by both of you. All other changes are merged.',
            '{n} fields were changed by both of you. All other changes are merged.',
          )}
        </span>
      </div>
      {questions.map((question) => (
        <QuestionChoice
          key={question.key}
          question={question}
          choice={choices[question.key] ?? 'mine'}
          onChoose={(choice) => setChoices({ ...choices, [question.key]: choice })}
        />
      ))}
    </Dialog>
  )
}

interface QuestionChoiceProps {
  readonly question: ConflictQuestion
  readonly choice: Choice
  readonly onChoose: (choice: Choice) => void
}

function QuestionChoice({ question, choice, onChoose }: QuestionChoiceProps) {
  const option = (which: Choice, label: string) => (
    <label class={`opt pickc${choice === which ? ' on' : ''}`}>
      <input
        type="radio"
        class="radio"
        name={`conflict-${question.key}`}
        checked={choice === which}
        onChange={() => onChoose(which)}
      />
      <span>
        {label} <b>{question[which] || t('empty')}</b>
      </span>
    </label>
  )
  return (
    <fieldset class="conf">
      <legend class="t2">{question.label}</legend>
      {option('mine', t('Mine:'))}
      {option('theirs', t('Theirs:'))}
    </fieldset>
  )
}
