import { useState } from 'preact/hooks'
import { t } from '../core/i18n.ts'
import { Button } from './button.tsx'

/** A secret that is shown once, with a button that copies it. */
export function ToastSecret({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <span class="more keyrow">
      <code class="mono">{text}</code>
      <Button
        label={isCopied ? t('Copied') : t('Copy')}
        icon={isCopied ? 'check' : 'copy'}
        size="sm"
        onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      />
    </span>
  )
}
