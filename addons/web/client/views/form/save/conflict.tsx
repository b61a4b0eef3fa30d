import { useEffect, useState } from 'preact/hooks'
import { hotkeys } from '../../../core/hotkeys.ts'
import { t, tn } from '../../../core/i18n.ts'
import type { Writer } from '../../../store/records.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, openDialog } from '../../../ui/dialog.tsx'
import { describeSaver } from './saver.ts'

type Choice = 'mine' | 'theirs'
export type Choices = Readonly<Record<string, Choice>>

/** A value that both users changed, with both versions as text. */
export interface ConflictQuestion {
  readonly key: string
  readonly label: string
  readonly mine: string
  readonly theirs: string
  /** The value that both edits started from, if known. */
  readonly base?: string | undefined
}

/**
 * Asks for each value that two users changed which version to keep; `who` saved the other one. Null returns to the form without
 * a decision.
 */
export const askFormConflict = (
  questions: readonly ConflictQuestion[],
  who: Writer | undefined,
): Promise<Choices | null> =>
  openDialog<Choices | null>((close) => <Conflict questions={questions} who={who} onClose={close} />)

interface ConflictProps {
  readonly questions: readonly ConflictQuestion[]
  readonly who: Writer | undefined
  readonly onClose: (choices: Choices | null) => void
}

const allOf = (questions: readonly ConflictQuestion[], choice: Choice): Choices =>
  Object.fromEntries(questions.map(({ key }) => [key, choice]))

function Conflict({ questions, who, onClose }: ConflictProps) {
  const [choices, setChoices] = useState(() => allOf(questions, 'mine'))
  useEffect(() => hotkeys.add({ keys: 'mod+enter', label: t('Save'), run: () => onClose(choices) }), [choices])
  return (
    <Dialog
      title={describeSaver(who)}
      class="conflict"
      onClose={() => onClose(null)}
      footer={
        <>
          {questions.length > 1 && (
            <Button
              label={t('Take all of theirs')}
              kind="ghost"
              onClick={() => setChoices(allOf(questions, 'theirs'))}
            />
          )}
          <Button label={t('Go on editing')} keys="escape" onClick={() => onClose(null)} />
          <Button label={t('Save')} kind="primary" keys="mod+enter" onClick={() => onClose(choices)} />
        </>
      }
    >
      <p class="t2">
        {tn(
          questions.length,
          'One field was changed by both of you. All other changes are merged.',
          '{n} fields were changed by both of you. All other changes are merged.',
        )}
      </p>
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
        <span class="t2">{label}</span> <b>{question[which] || t('empty')}</b>
      </span>
    </label>
  )
  const { label, base } = question
  return (
    <fieldset class="conf">
      <legend>
        <b>{label}</b>
        {base !== undefined && (
          <small class="t2">{base === '' ? t('was empty') : t('was {value}', { value: base })}</small>
        )}
      </legend>
      {option('mine', t('Mine:'))}
      {option('theirs', t('Theirs:'))}
    </fieldset>
  )
}
