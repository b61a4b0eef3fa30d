import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WireMailInput, WireMailStep, WireMailTest } from '../../../../../../kernel/admin/wire-operations.ts'
import { hotkeys } from '../../../core/hotkeys.ts'
import { msg, t } from '../../../core/i18n.ts'
import { isCancelled } from '../../../net/errors.ts'
import { postJson } from '../../../net/json-routes.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'

interface TestRowProps {
  /** The address of the test mail; null: none. */
  readonly address: string | null
  /** The entered settings if they are not saved; null: the saved ones. Undefined: something is missing, so nothing is sent. */
  readonly input: () => WireMailInput | null | undefined
  /** The tested settings: when they change, the result of a test is removed. */
  readonly about?: unknown
  /** Takes an error of the server. */
  readonly onError: (error: unknown) => void
  /** Further buttons. */
  readonly children?: ComponentChildren
}

/** Sends a test mail and shows which steps succeeded. */
export function TestRow({ address, input, about, onError, children }: TestRowProps) {
  const [result, setResult] = useState<WireMailTest | null>(null)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => setResult(null), [about])

  async function test(): Promise<void> {
    const server = input()
    if (server === undefined || isBusy || address === null) return
    setBusy(true)
    setResult(null)
    try {
      setResult(await postJson<WireMailTest>('/web/settings/mail/test', { server }))
    } catch (error) {
      if (!isCancelled(error)) onError(error)
    } finally {
      setBusy(false)
    }
  }
  useEffect(() => hotkeys.add({ keys: 't', label: t('Send a test'), group: t('Operations'), run: () => void test() }))

  return (
    <>
      <div role="status" class="mailtold">
        {result !== null && <Told result={result} />}
      </div>
      <div class="hs wrap">
        <Button
          label={t('Send a test')}
          icon="send"
          keys="t"
          isBusy={isBusy}
          disabled={address === null}
          onClick={() => void test()}
        />
        <span class="t2">
          {address === null ? t('Your account has no mail address.') : t('to {address}', { address })}
        </span>
        {children}
      </div>
    </>
  )
}

const STATES: Readonly<Record<WireMailStep['state'], { readonly icon: string | null; readonly word: string }>> = {
  done: { icon: 'check', word: msg('works') },
  failed: { icon: 'x', word: msg('failed') },
  open: { icon: null, word: msg('not tried') },
  without: { icon: 'triangle-alert', word: msg('not encrypted') },
}

function Told({ result: { ok, text, answer, steps } }: { readonly result: WireMailTest }) {
  return (
    <div class={classNames('note', ok ? 'success' : 'danger')}>
      <Icon name={ok ? 'circle-check' : 'circle-alert'} />
      <div class="grow">
        <p class="med">{text}</p>
        {answer !== null && <p class="fs12 mailsaid">{t('The mail server said: {answer}', { answer })}</p>}
        {!ok && (
          <ol class="teststeps">
            {steps.map(({ label, state }) => {
              const { icon, word } = STATES[state]
              return (
                <li key={label} data-state={state}>
                  {icon !== null && <Icon name={icon} size="s" />}
                  {state === 'without' ? `${label}: ` : label}
                  <span class={classNames(state !== 'without' && 'vh')}>{t(word)}</span>
                </li>
              )
            })}
          </ol>
        )}
      </div>
    </div>
  )
}
