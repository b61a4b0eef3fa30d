import { useEffect } from 'preact/hooks'
import type { WireOperations } from '../../../../../../kernel/admin/wire-operations.ts'
import { showError } from '../../../ui/toasts.tsx'
import { LoadState } from '../load-state.tsx'
import { useAsked } from '../use-asked.ts'
import { JobsPanel } from './jobs-panel.tsx'
import { MailPanel } from './mail-panel.tsx'
import { QueuePanel } from './queue-panel.tsx'
import '../admin.css'
import './operations.css'

/** Pause before pending mails and runs are read again, since no event reports them. */
const REFRESH_MS = 3_000

/** Scheduled jobs and outgoing mail. */
export function Page() {
  const asked = useAsked<WireOperations>('/web/settings/operations', ['sys.cron'])
  const found = asked.value
  const isMoving =
    found !== null &&
    (found.jobs.some(
      ({ isRunning, active, nextRunAt }) => isRunning || (active && Date.parse(nextRunAt) < Date.now()),
    ) ||
      (found.mail.state === 'ready' && found.mails.some(({ state }) => state === 'queued' || state === 'sending')))
  useEffect(() => {
    if (!isMoving) return
    const timer = setTimeout(asked.reload, REFRESH_MS)
    return () => clearTimeout(timer)
  }, [found, isMoving])

  async function act(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      showError(error)
    }
    asked.reload()
  }

  if (found === null) return <LoadState asked={asked} />
  return (
    <div class="view">
      <div class="scroll" data-scroll="operations">
        <div class="adminpage">
          <JobsPanel jobs={found.jobs} onAct={act} />
          <div class="opsmail">
            <MailPanel mail={found.mail} onChanged={asked.reload} />
            <QueuePanel found={found} onAct={act} />
          </div>
        </div>
      </div>
    </div>
  )
}
