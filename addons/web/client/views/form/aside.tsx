import { type AsideProps, asides } from '../../core/registries.ts'
import { Messages } from './messages.tsx'

/** Beside the form on wide screens, below it on others: what addons put there, else the messages of the record. */
export function Aside(props: AsideProps) {
  const Chatter = asides.get('chatter') ?? Messages
  return <Chatter {...props} />
}
