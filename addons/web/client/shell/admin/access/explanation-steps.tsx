import type { ComponentChildren } from 'preact'
import type { Explanation } from '../../../../../../kernel/access/explain.ts'
import { t } from '../../../core/i18n.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { Operation } from './groups.ts'

type Verdict = Omit<Explanation, 'whatIf'>

export interface ExplanationStepsProps {
  readonly verdict: Verdict
  readonly person: string
  readonly operation: Operation
  readonly names: ReadonlyMap<number, string>
  readonly isWhatIf: boolean
}

/** The answer in one sentence, and the steps that led to it. */
export function ExplanationSteps({ verdict, person, operation, names, isWhatIf }: ExplanationStepsProps) {
  const { allowed, access, rules, company } = verdict
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
            <b>{sentenceOf(allowed, person, operation, isWhatIf)}</b>
            <p>{reasonOf(verdict, givers, others)}</p>
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
              <li key={rule.id} class={rule.matches ? 'is-yes' : 'is-no'}>
                <Icon name={rule.matches ? 'check' : 'x'} size="s" />
                <span>{rule.name}</span>
                <span class="isv">
                  {rule.groupIds.length === 0 ? t('must hold for everybody') : rule.groupIds.map(nameOf).join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        </Step>
      </ol>
    </>
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
    read: (name: string) => t('Yes, {name} may read it.', { name }),
    write: (name: string) => t('Yes, {name} may change it.', { name }),
    create: (name: string) => t('Yes, {name} may create it.', { name }),
    unlink: (name: string) => t('Yes, {name} may delete it.', { name }),
  },
  no: {
    read: (name: string) => t('No, {name} may not read it.', { name }),
    write: (name: string) => t('No, {name} may not change it.', { name }),
    create: (name: string) => t('No, {name} may not create it.', { name }),
    unlink: (name: string) => t('No, {name} may not delete it.', { name }),
  },
} as const

const sentenceOf = (allowed: boolean, person: string, operation: Operation, isWhatIf: boolean): string =>
  `${isWhatIf ? `${t('With this role:')} ` : ''}${SENTENCES[allowed ? 'yes' : 'no'][operation](person)}`

function reasonOf({ allowed, access, rules }: Verdict, givers: readonly string[], others: readonly string[]): string {
  if (allowed) return t('{groups} gives the right, and the rules include the record.', { groups: givers.join(' · ') })
  if (!access.allowed)
    return others.length === 0
      ? t('No role gives this right.')
      : t('No role of the user gives this right. It comes with: {groups}.', { groups: others.join(' · ') })
  const failing = rules.items.filter(({ scope, matches }) => scope === 'applies' && !matches).map(({ name }) => name)
  return t('The role would do, but these rules leave the record out: {rules}.', { rules: failing.join(' · ') })
}
