interface Entry {
  readonly id: number
  readonly time: string
  readonly level: string
  readonly source: string
  readonly message: string
  readonly request_id: string | null
  readonly user: string | null
  readonly details: Readonly<Record<string, unknown>>
}

const PAUSE_MS = 2_000
const MAX_ROWS = 1_000
const TONES: Readonly<Record<string, string>> = { info: 'info', warning: 'warning', error: 'danger' }

/**
 * Asks for new entries of the log every two seconds while the reader wants them and looks, and puts them on top. It only sets text
 * and attributes, so that nothing in an entry can become markup.
 */
export function followLog(): void {
  const list = document.getElementById('rows')
  const button = document.getElementById('tail')
  const template = document.getElementById('row')
  if (!list || !button || !(template instanceof HTMLTemplateElement)) return
  const clock = new Intl.DateTimeFormat('sv', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: list.dataset['zone'] ?? 'UTC',
  })
  let cursor = list.dataset['cursor'] ?? '0'
  let timer: ReturnType<typeof setTimeout> | undefined

  const draw = (entry: Entry): Node => {
    const item = template.content.cloneNode(true) as DocumentFragment
    const say = (selector: string, text: string) => {
      const part = item.querySelector<HTMLElement>(selector)
      if (part) part.textContent = text
      return part
    }
    say('time', clock.format(new Date(entry.time)))?.setAttribute('datetime', entry.time)
    say('.badge', nameOf(entry.level))?.setAttribute('class', `badge ${TONES[entry.level] ?? ''}`)
    say('.log-source', entry.source)
    say('.log-text', entry.message)
    const link = say('a', entry.request_id ?? '')
    if (link instanceof HTMLAnchorElement) link.href = addressWith(link.href, 'request', entry.request_id ?? '')
    link?.parentElement?.toggleAttribute('hidden', entry.request_id === null)
    say('b', entry.user ?? '')?.parentElement?.toggleAttribute('hidden', entry.user === null)
    say('pre', storyOf(entry))
    return item
  }

  const look = async () => {
    if (!document.hidden) {
      const address = addressWith(list.dataset['from'] ?? '', 'after', cursor)
      const response = await fetch(address, { headers: { accept: 'application/json' } }).catch(() => null)
      if (response?.status === 401 || response?.status === 403) return location.reload()
      if (response?.ok) {
        const answer: { readonly rows: readonly Entry[]; readonly cursor: number } = await response.json()
        cursor = String(answer.cursor)
        if (answer.rows.length > 0) document.getElementById('none')?.remove()
        for (const entry of answer.rows.toReversed()) list.prepend(draw(entry))
        while (list.children.length > MAX_ROWS) list.lastElementChild?.remove()
      }
    }
    timer = setTimeout(look, PAUSE_MS)
  }

  button.hidden = false
  button.addEventListener('click', () => {
    const isOn = button.getAttribute('aria-pressed') === 'true'
    button.setAttribute('aria-pressed', String(!isOn))
    clearTimeout(timer)
    if (!isOn) void look()
  })
}

function addressWith(address: string, name: string, value: string): string {
  const url = new URL(address, location.href)
  url.searchParams.set(name, value)
  return url.href
}

/** What the page calls a level. */
const nameOf = (level: string): string =>
  document.querySelector<HTMLElement>(`#level option[value="${level}"]`)?.dataset['name'] ?? level

function storyOf({ message, details: { stack, ...facts } }: Entry): string {
  const known = Object.entries(facts).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return [message, ...known, ...(typeof stack === 'string' ? ['', stack] : [])].join('\n')
}
