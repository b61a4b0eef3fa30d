import type { WireFigure } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { services } from '../../services.ts'
import { LiveDot } from '../../views/shared/live-dot.tsx'
import { FigureCard } from './figure-card.tsx'
import { loadFigure } from './load-figure.ts'
import { useLoaded } from './use-loaded.ts'

/** The figures of all applications. Each loads separately, so that a failing one does not affect the others. */
export function Today({ day }: { readonly day: string }) {
  const { home } = services().session.bootstrap
  if (home.figures.length === 0) return null
  return (
    <section aria-labelledby="home-today">
      <div class="sech">
        <h2 id="home-today">{t('Today')}</h2>
        <LiveDot />
      </div>
      <div class="kpirow">
        {home.figures.map((figure) => (
          <Figure key={`${figure.module} ${figure.label}`} figure={figure} day={day} />
        ))}
      </div>
    </section>
  )
}

function Figure({ figure, day }: { readonly figure: WireFigure; readonly day: string }) {
  const loaded = useLoaded([figure.model], () => loadFigure(services().rpc, figure, day))
  return <FigureCard figure={figure} loaded={loaded} today={day} />
}
