import './ranking.css'
import {
  formatFloat,
  onRecordChanges,
  type Row,
  recordPathOf,
  searchRead,
  services,
  showError,
  t,
  useEffect,
  useSearch,
  useSignal,
  ViewFrame,
  type ViewProps,
} from '#sdk'

const MAX_ROWS = 50

/** The client half of `views/ranking.ts`: the records of the search, the highest score first. */
export const View = (props: ViewProps) => (
  <ViewFrame {...props} pager={null}>
    <Ranking {...props} />
  </ViewFrame>
)

/** The ranking in a tile of a dashboard. */
export const Tile = (props: Pick<ViewProps, 'workspace' | 'route'>) => <Ranking {...props} />

function Ranking({ workspace, route }: Pick<ViewProps, 'workspace' | 'route'>) {
  const { model, arch } = workspace
  const { domain } = useSearch(workspace, route)
  const rows = useSignal<readonly Row[] | null>(null)
  const score = arch.root.attrs['score'] ?? ''
  useEffect(() => {
    const { rpc, bus } = services()
    const abort = new AbortController()
    const names = arch.fields.map(({ name }) => name)
    const options = { order: `${score} desc, id`, limit: MAX_ROWS, signal: abort.signal }
    const load = () =>
      searchRead(rpc, model, domain, names, options)
        .then((found) => {
          rows.value = found
        })
        .catch((error) => !abort.signal.aborted && showError(error))
    void load()
    const unfollow = onRecordChanges(bus, [model], load)
    return () => {
      unfollow()
      abort.abort()
    }
  }, [model, domain])

  if (rows.value === null) return null
  if (rows.value.length === 0) return <p class="ranking">{t('Nothing is ranked yet.')}</p>
  const about = arch.fields.filter(({ name }) => name !== score)
  return (
    <ol class="ranking" aria-label={t('Ranking')}>
      {rows.value.map((row) => (
        <li key={row.id}>
          <a href={`${recordPathOf(workspace)}${row.id}`}>{about.map(({ name }) => textOf(row[name])).join(' · ')}</a>
          <span class="tn">{formatFloat(Number(row[score] ?? 0))}</span>
        </li>
      ))}
    </ol>
  )
}

/** A link comes as id and name. */
const textOf = (value: unknown): string => String((Array.isArray(value) ? value[1] : value) ?? '')
