import type { ComponentChildren } from 'preact'
import type { AccessExplanation, Rehearsal } from '../../../../../../kernel/access/explain.ts'
import type { Operation } from '../../../../../../kernel/access/tables.ts'
import { msg, t } from '../../../core/i18n.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'

type Verdict = Omit<AccessExplanation, 'whatIf'>

export interface ExplanationStepsProps {
  readonly verdict: Verdict
  readonly person: string
  /** The record, or a field of it, by name. */
  readonly subject: string
  readonly operation: Operation
  readonly names: ReadonlyMap<number, string>
  readonly isWhatIf: boolean
}

/** The answer in one sentence, and the steps that led to it. */
export function ExplanationSteps({ verdict, person, subject, operation, names, isWhatIf }: ExplanationStepsProps) {
  const { allowed, access, rules, company, field, rehearsal } = verdict
  const nameOf = (id: number | null) => (id === null ? t('Everybody') : (names.get(id) ?? ''))
  const givers = access.lines.filter(({ effect }) => effect === 'grants').map(({ groupId }) => nameOf(groupId))
  const others = access.lines.filter(({ effect }) => effect === 'other group').map(({ groupId }) => nameOf(groupId))
  const applying = rules.items.filter(({ scope }) => scope === 'applies')
  return (
    <>
      <div aria-live="polite">
        <div class={classNames('verdict', allowed ? 'is-yes' : 'is-no')}>
          <Icon name={allowed ? 'circle-check' : 'circle-x'} size="l" />
          <div>
            <b>{sentenceOf(allowed, person, subject, operation, isWhatIf)}</b>
            <p>{reasonOf(verdict, givers, others, nameOf)}</p>
          </div>
        </div>
      </div>
      <ol class="chain">
        <Step
          isYes={access.allowed}
          title={access.allowed ? t('A role gives the right') : t('No role gives the right')}
          note={t('one is enough')}
        >
          {givers.length > 0
            ? givers.join(' · ')
            : t('It is given by: {groups}', { groups: others.join(' · ') || t('nobody') })}
        </Step>
        {company !== null && company.companyId !== null && (
          <Step isYes={company.state === 'active'} title={COMPANY[company.state]()} note={t('companies')}>
            {company.decides ? t('With this company switched on, the answer would be another.') : ''}
          </Step>
        )}
        <Step
          isYes={rules.allowed}
          title={
            applying.length === 0
              ? t('No rule narrows the records')
              : rules.allowed
                ? t('The rules include the record')
                : t('The rules leave the record out')
          }
          note={t('rules')}
        >
          <ul class="conds">
            {applying.map((rule) => (
              <li key={rule.id} class={rule.matches ? 'is-yes' : rules.allowed ? 'dim' : 'is-no'}>
                <Icon name={rule.matches ? 'check' : 'x'} size="s" />
                <span>{rule.name}</span>
                <span class="isv">
                  {rule.groupIds.length === 0 ? t('must hold for everybody') : rule.groupIds.map(nameOf).join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        </Step>
        {field !== null && (
          <Step
            isYes={field.allowed}
            title={field.allowed ? t('The field is open to the user') : t('The field is not open to the user')}
            note={t('fields')}
          >
            {fieldReason(field, nameOf)}
          </Step>
        )}
        {rehearsal !== null && <RehearsalStep rehearsal={rehearsal} operation={operation} />}
        {rehearsal?.onForm && (
          <Step isYes={false} title={t('The form shows it read-only')} note={t('views')}>
            {formReason(rehearsal.onForm)}
          </Step>
        )}
      </ol>
    </>
  )
}

interface RehearsalStepProps {
  readonly rehearsal: Rehearsal
  readonly operation: Operation
}

/** The result of the rehearsal: besides rights, a state or records that refer to this one may refuse the operation. */
function RehearsalStep({ rehearsal: { refusal, except }, operation }: RehearsalStepProps) {
  const title =
    refusal !== null
      ? t('The program refuses it')
      : except.length > 0
        ? t('The program keeps some fields as they are')
        : t('The program lets it happen')
  return (
    <Step isYes={refusal === null} title={title} note={t('tried and taken back')}>
      {refusal ?? (operation === 'write' ? t('New values are checked when they are saved.') : '')}
      <ul class="conds">
        {[...new Set(except.map(({ message }) => message))].map((message) => (
          <li key={message} class="is-no">
            <Icon name="x" size="s" />
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </Step>
  )
}

const COMPANY = {
  shared: () => t('The record is of no company'),
  active: () => t('The company of the record is switched on'),
  inactive: () => t('The company of the record is switched off'),
  foreign: () => t('The record is of a company the user does not work in'),
} as const

interface StepProps {
  readonly isYes: boolean
  readonly title: string
  readonly note: string
  readonly children: ComponentChildren
}

const Step = ({ isYes, title, note, children }: StepProps) => (
  <li class={classNames('xstep', isYes ? 'is-yes' : 'is-no')}>
    <span class="dot">
      <Icon name={isYes ? 'check' : 'x'} />
    </span>
    <div class="hd">
      <h3>{title}</h3>
      <span class="t3 fs12">{note}</span>
    </div>
    <div class="t2">{children}</div>
  </li>
)

/** Whole sentences, so that every language has its own order of words. */
const SENTENCES = {
  yes: {
    read: msg('Yes, {name} may read {subject}.'),
    write: msg('Yes, {name} may change {subject}.'),
    create: msg('Yes, {name} may create {subject}.'),
    unlink: msg('Yes, {name} may delete {subject}.'),
  },
  no: {
    read: msg('No, {name} may not read {subject}.'),
    write: msg('No, {name} may not change {subject}.'),
    create: msg('No, {name} may not create {subject}.'),
    unlink: msg('No, {name} may not delete {subject}.'),
  },
} as const

function sentenceOf(allowed: boolean, name: string, subject: string, operation: Operation, isWhatIf: boolean): string {
  const sentence = t(SENTENCES[allowed ? 'yes' : 'no'][operation], { name, subject })
  return isWhatIf ? `${t('With this role:')} ${sentence}` : sentence
}

const formReason = (because: readonly string[]): string =>
  because.length === 0
    ? t('It does so with every record; others change it by a button, an import or the interface.')
    : t('It does so with this record, because of: {fields}.', { fields: because.join(' · ') })

type NameOf = (groupId: number | null) => string

/** Why the field is open or not. Without groups a field that is closed shows the value of a record behind a link. */
function fieldReason({ allowed, secret, fixed, groupIds }: NonNullable<Verdict['field']>, nameOf: NameOf): string {
  if (fixed) return t('The program sets this field itself, nobody else.')
  if (secret && !allowed) return t('The field is a secret, which nobody reads.')
  if (groupIds.length > 0) return t('It is for: {groups}', { groups: groupIds.map(nameOf).join(' · ') })
  return allowed
    ? t('It is for everybody who has the record.')
    : t('It shows a value of another record, which the user may not read.')
}

function reasonOf(
  { allowed, access, rules, field, rehearsal }: Verdict,
  givers: readonly string[],
  others: readonly string[],
  nameOf: NameOf,
): string {
  const { refusal = null, except = [], onForm = null } = rehearsal ?? {}
  if (refusal !== null) return t('The rights are there, but the program refuses it: {reason}', { reason: refusal })
  if (except.length > 0)
    return t('But not these fields: {fields}.', { fields: except.map(({ label }) => label).join(', ') })
  if (onForm !== null)
    return t('The rights are there, but the form shows it read-only. {reason}', { reason: formReason(onForm) })
  if (allowed) return t('{groups} gives the right, and the rules include the record.', { groups: givers.join(' · ') })
  if (!access.allowed)
    return others.length === 0
      ? t('No role gives this right.')
      : t('No role of the user gives this right. It comes with: {groups}.', { groups: others.join(' · ') })
  if (rules.allowed && field !== null) return fieldReason(field, nameOf)
  const failing = rules.items.filter(({ scope, matches }) => scope === 'applies' && !matches).map(({ name }) => name)
  return t('The role would do, but these rules leave the record out: {rules}.', { rules: failing.join(' · ') })
}
