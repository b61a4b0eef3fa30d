import './notices.css'

/** The notices above a view, as one chunk; see notices.tsx. */

export { CurrencyChoice, chooseCurrency } from './currency-choice.tsx'
export { CutMessage } from './cut-notice.tsx'
