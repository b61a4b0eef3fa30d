import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useState } from 'preact/hooks'
import type { WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { t } from '../../../core/i18n.ts'
import type { TileProps } from '../../../core/registries.ts'
import { CallError } from '../../../net/errors.ts'
import type { Route } from '../../../router/codec.ts'
import { viewFields } from '../../../search/query/field-catalogue.ts'
import { splitNames } from '../../../search/query/search-state.ts'
import { findMeasure } from '../../shared/analysis/measures.ts'
import { TileError, TileSkeleton } from '../../shared/tile/tile-body.tsx'
import type { Dashboard } from '../model/dashboard.ts'
import type { Filters } from '../model/filters.ts'
import { FIGURE, type TileRecord } from '../model/tile.ts'
import { FigureTile } from './figure-tile.tsx'
import { tileLoader } from './kinds.ts'

export interface TileContentProps {
  readonly dashboard: Dashboard
  readonly tile: TileRecord
  readonly route: Route
  readonly filters: Filters
  /** Called when it is known whether the user may see the content of the tile. */
  readonly onAccess: (isDenied: boolean) => void
}

type Loaded =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | {
      readonly kind: 'there'
      readonly workspace: WireWorkspace
      readonly Tile: ComponentType<TileProps> | null
      readonly unknown: string | undefined
    }

const isDenied = (error: unknown): boolean =>
  error instanceof CallError && (error.code === 'ACCESS_DENIED' || error.code === 'NOT_FOUND')

const measuresOf = ({ address: { measure, measures } }: TileRecord): readonly string[] =>
  [measure, measures].flatMap((keys) => splitNames(keys ?? ''))

/** A measure of the tile that does not exist or may not be read. The tile then shows no figure, since another one would be wrong under its title. */
async function unknownMeasure({ model, arch }: WireWorkspace, tile: TileRecord): Promise<string | undefined> {
  const keys = measuresOf(tile).filter((key) => !findMeasure(arch.fields, key))
  if (keys.length === 0) return undefined
  const fields = await viewFields(model)
  return keys.find((key) => !findMeasure(fields, key))
}

/** The content of a tile, with the rights of the viewer: the view and its code are loaded, then it loads its figures itself. */
export function TileContent({ dashboard, tile, route, filters, onAccess }: TileContentProps) {
  const [loaded, setLoaded] = useState<Loaded>({ kind: 'waiting' })
  const [attempt, setAttempt] = useState(0)
  const [broken, retry] = useErrorBoundary((failure) => reportError(failure))
  const { viewType, model, actionId } = tile
  const asked = JSON.stringify([viewType, model, actionId, route.params, measuresOf(tile)])
  useEffect(() => {
    let isGone = false
    const load = async (): Promise<Loaded> => {
      const [workspace, module] = await Promise.all([dashboard.workspaceAt(viewType, route), tileLoader(viewType)?.()])
      return { kind: 'there', workspace, Tile: module?.Tile ?? null, unknown: await unknownMeasure(workspace, tile) }
    }
    load()
      .catch((error: unknown): Loaded => ({ kind: 'failed', error }))
      .then((next) => {
        if (isGone) return
        setLoaded(next)
        onAccess(next.kind === 'failed' && isDenied(next.error))
      })
    return () => {
      isGone = true
    }
  }, [asked, attempt])

  if (broken !== undefined) return <TileError error={broken} onRetry={retry} />
  if (loaded.kind === 'waiting') return <TileSkeleton />
  if (loaded.kind === 'failed')
    return isDenied(loaded.error) ? (
      <p class="tilenote t3">{t('You may not see what this tile shows.')}</p>
    ) : (
      <TileError error={loaded.error} onRetry={() => setAttempt(attempt + 1)} />
    )
  const { workspace, Tile, unknown } = loaded
  if (unknown !== undefined)
    return (
      <p class="tilenote t2" role="alert">
        {t('This tile measures {field}, which does not exist any more or is hidden from you.', { field: unknown })}
      </p>
    )
  if (viewType === FIGURE) return <FigureTile workspace={workspace} tile={tile} route={route} filters={filters} />
  if (Tile === null || workspace.viewType !== viewType)
    return <p class="tilenote t3">{t('There is no such view of these records any more.')}</p>
  return <Tile workspace={workspace} route={route} title={tile.name} width={tile.w} height={tile.h} />
}
