import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../core/i18n.ts'
import { Button } from '../../ui/button.tsx'

/** A secret that is shown this once, with a button that copies it. */
export function SecretRow({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = useRef<HTMLButtonElement>(null)
  // Copying is the only thing to do with the secret, so the button gets the focus.
  useEffect(() => copy.current?.focus({ preventScroll: true }), [text])
  return (
    <div class="secret">
      <code class="mono">{text}</code>
      <Button
        label={isCopied ? t('Copied') : t('Copy')}
        buttonRef={copy}
        icon={isCopied ? 'check' : 'copy'}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      />
    </div>
  )
}
