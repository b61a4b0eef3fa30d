import type { WireJob, WireJobRun } from '../../../../../../kernel/admin/wire-operations.ts'
import { formatFloat } from '../../../core/format.ts'
import { t, tn } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon, type IconProps } from '../../../ui/icon.tsx'
import { ScrollBox } from '../../../ui/scroll-box.tsx'
import { Ago } from '../ago.tsx'

export type RunStep = (work: () => Promise<unknown>) => Promise<void>

export const JobsPanel = ({ jobs, onAct }: { readonly jobs: readonly WireJob[]; readonly onAct: RunStep }) => (
  <div class="panel">
    <header>
      <h2>{t('Scheduled jobs')}</h2>
      <span class="count">{jobs.length}</span>
    </header>
    <ScrollBox class="scroll-x" label={t('Scheduled jobs')}>
      <table class="tbl cards jobs">
        <thead>
          <tr>
            <th scope="col">{t('Job')}</th>
            <th scope="col">{t('Health')}</th>
            <th scope="col">{t('Last runs')}</th>
            <th scope="col">{t('Last run')}</th>
            <th scope="col">{t('Next run')}</th>
            <th scope="col">
              <span class="vh">{t('Actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} onAct={onAct} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  </div>
)

function JobRow({ job, onAct }: { readonly job: WireJob; readonly onAct: RunStep }) {
  const last = job.runs.at(-1)
  const run = () => onAct(() => services().rpc.call('sys.cron', 'call', [job.id, 'action_run_now']))
  return (
    <tr class={classNames(!job.active && 'off')}>
      <th scope="row" data-c="n">
        <span class="two">
          <span class="med">{job.name}</span>
          <span class="fs12 t3">{everyOf(job)}</span>
          {job.error !== null && <span class="fs12 joberr">{job.error}</span>}
        </span>
      </th>
      <td data-c="h">
        <Health job={job} />
      </td>
      <td data-c="r">
        <Bars runs={job.runs} />
      </td>
      <td data-c="l" class="t2">
        {job.lastRunAt === null ? (
          t('never')
        ) : (
          <span>
            <Ago at={job.lastRunAt} />
            {last?.ms != null && `, ${seconds(last.ms)}`}
          </span>
        )}
      </td>
      <td data-c="x" class="t2">
        {job.active ? <Ago at={job.nextRunAt} past={t('now')} /> : '–'}
      </td>
      <td data-c="a" class="num">
        {job.active && (
          <Button
            label={t('Run now')}
            icon="play"
            kind="ghost"
            size="sm"
            isBusy={job.isRunning}
            onClick={() => void run()}
          >
            <span class="vh"> {job.name}</span>
          </Button>
        )}
      </td>
    </tr>
  )
}

const seconds = (ms: number): string => t('{n} s', { n: formatFloat(ms / 1_000, ms < 1_000 ? 2 : 1) })

const everyOf = ({ every, unit }: WireJob): string =>
  ({
    minutes: () => tn(every, 'every minute', 'every {n} minutes'),
    hours: () => tn(every, 'every hour', 'every {n} hours'),
    days: () => tn(every, 'every day', 'every {n} days'),
    weeks: () => tn(every, 'every week', 'every {n} weeks'),
    months: () => tn(every, 'every month', 'every {n} months'),
  })[unit]()

function Health({ job }: { readonly job: WireJob }) {
  const [icon, tone, word]: readonly [IconProps['name'], string, string] = !job.active
    ? ['minus', '', t('Switched off')]
    : job.isRunning
      ? ['refresh-cw', 'info', t('Running')]
      : job.failures > 0
        ? ['circle-alert', 'danger', tn(job.failures, 'Failed {n} time', 'Failed {n} times')]
        : job.lastRunAt === null
          ? ['circle', '', t('Not run yet')]
          : ['circle-check', 'success', t('Healthy')]
  return (
    <span class={classNames('state', tone)}>
      <Icon name={icon} size="s" />
      {word}
    </span>
  )
}

/** Levels of height; the tallest is the longest of the runs. */
const LEVELS = 5

function Bars({ runs }: { readonly runs: readonly WireJobRun[] }) {
  if (runs.length === 0) return <span class="t3">–</span>
  const longest = Math.max(1, ...runs.map(({ ms }) => ms ?? 0))
  const bad = runs.filter(({ outcome }) => outcome !== 'done').length
  const label =
    bad === 0
      ? tn(runs.length, '{n} run, done', '{n} runs, all done')
      : t('{bad} of {n} runs failed', { bad, n: runs.length })
  return (
    <span class="bars" role="img" aria-label={label}>
      {runs.map(({ startedAt, ms, outcome }) => (
        <span
          key={startedAt}
          data-outcome={outcome}
          data-level={Math.max(1, Math.ceil(((ms ?? 0) / longest) * LEVELS))}
        />
      ))}
    </span>
  )
}
