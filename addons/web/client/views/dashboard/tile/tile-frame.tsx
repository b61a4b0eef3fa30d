import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import { formatRoute } from '../../../router/codec.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { Dashboard } from '../model/dashboard.ts'
import { type Filters, tileFilters, tilePeriod } from '../model/filters.ts'
import { nameOfPeriod } from '../model/period.ts'
import { FIGURE, type TileRecord, tileRoute } from '../model/tile.ts'
import { TileContent } from './content.tsx'

export interface TileFrameProps {
  readonly dashboard: Dashboard
  readonly tile: TileRecord
  readonly filters: Filters
  /** In the edit mode: the handle before the title. */
  readonly grip?: ComponentChildren
  readonly tools?: ComponentChildren
  readonly corner?: ComponentChildren
  /** Pixels that it is dragged by. */
  readonly offset?: readonly [dx: number, dy: number]
  /** Further attributes of the element. */
  readonly own?: Readonly<Record<string, unknown>>
}

/** A tile: its title, which links to the full view, and its content. Without access it shows no names. */
export function TileFrame({ dashboard, tile, filters, grip, tools, corner, offset, own }: TileFrameProps) {
  const [isDenied, setDenied] = useState(false)
  const heading = useId()
  const route = tileRoute(tile, tileFilters(tile, filters), tilePeriod(tile, filters))
  const isFigure = tile.viewType === FIGURE
  const title = isDenied ? t('No access') : tile.name
  const place = {
    '--x': tile.x,
    '--y': tile.y,
    '--w': tile.w,
    '--h': tile.h,
    ...(offset && { translate: `${offset[0]}px ${offset[1]}px` }),
  }
  return (
    <section
      class={classNames('dtile panel', isFigure && 'fig')}
      aria-labelledby={heading}
      data-tile={tile.id}
      data-kind={tile.viewType}
      style={place}
      {...own}
    >
      <header>
        {grip}
        <h2 id={heading}>
          {isDenied || grip !== undefined || isFigure ? title : <a href={formatRoute(route)}>{title}</a>}
        </h2>
        {!isDenied && !isFigure && tile.dateField !== null && (
          <span class="t3 fs12 wide">{nameOfPeriod(filters.period)}</span>
        )}
        {tools ??
          (!isDenied && !isFigure && (
            <a class="btn icon ghost sm open" href={formatRoute(route)} aria-label={t('Open {title}', { title })}>
              <Icon name="arrow-up-right" />
            </a>
          ))}
      </header>
      <div class="dt-body">
        <TileContent dashboard={dashboard} tile={tile} route={route} filters={filters} onAccess={setDenied} />
      </div>
      {corner}
    </section>
  )
}
