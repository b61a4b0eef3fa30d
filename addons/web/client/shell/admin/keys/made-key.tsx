import { useState } from 'preact/hooks'
import type { WireNewApiKey } from '../../../../../../kernel/admin/wire-keys.ts'
import { dayOf, formatDate } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { SecretRow } from '../secret-row.tsx'

/** A first call with the key, which is read from the environment. */
const EXAMPLES: Readonly<
  Record<string, { readonly label: string; readonly code: (url: string, model: string) => string }>
> = {
  curl: {
    label: 'curl',
    code: (url, model) => `curl ${url} \\
  -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "method": "search_read",
       "args": [[], ["display_name"]], "kwargs": {"limit": 3}}'`,
  },
  typescript: {
    label: 'TypeScript',
    code: (url, model) => `const answer = await fetch('${url}', {
  method: 'POST',
  headers: { 'X-API-Key': process.env.KEY!, 'Content-Type': 'application/json' },
  body: JSON.stringify({ model: '${model}', method: 'search_read',
    args: [[], ['display_name']], kwargs: { limit: 3 } }),
})`,
  },
  python: {
    label: 'Python',
    code: (url, model) => `requests.post('${url}',
  headers={'X-API-Key': os.environ['KEY']},
  json={'model': '${model}', 'method': 'search_read',
        'args': [[], ['display_name']], 'kwargs': {'limit': 3}})`,
  },
}

export interface MadeKeyProps {
  readonly made: WireNewApiKey
  /** A model the key may read, for the example. */
  readonly model: string
  readonly onStored: () => void
  readonly onRevoke: () => void
}

/** The new key, shown until the user confirms having stored it, with examples of its use. */
export function MadeKey({ made, model, onStored, onRevoke }: MadeKeyProps) {
  const [language, setLanguage] = useState('curl')
  const code = EXAMPLES[language]!.code(`${location.origin}/api/rpc`, model)
  return (
    <section class="once" aria-label={t('New API key')}>
      <div class="oncel">
        <div class="hs">
          <Icon name="key-round" />
          <h2>{t('“{name}” is ready', { name: made.name })}</h2>
        </div>
        <p class="t2">{t('Copy it now. It is shown once and cannot be recovered.')}</p>
        <SecretRow text={made.key} />
        <p class="hint">
          {t('Put it in a secret store, not in code. Owner: {owner}. Expires: {date}.', {
            owner: made.owner,
            date: formatDate(dayOf(made.expiresAt), 'long'),
          })}
        </p>
        <div class="btns">
          <Button label={t('I have stored it')} onClick={onStored} />
          <Button label={t('Revoke')} kind="warn" onClick={onRevoke} />
        </div>
      </div>
      <div class="oncer">
        <Tabs
          label={t('Example')}
          tabs={Object.entries(EXAMPLES).map(([name, { label }]) => ({ name, label }))}
          active={language}
          onChange={setLanguage}
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
          <pre class="code" tabIndex={0} role="region" aria-label={t('Example')}>
            <code class="mono">{code}</code>
          </pre>
        </Tabs>
      </div>
    </section>
  )
}
