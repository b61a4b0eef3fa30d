import { Icon } from '../sdk.ts'

/** Where a row is taken hold of; the list that can be put in order makes it move. */
export const HandleField = () => (
  <span class="handle" aria-hidden="true">
    <Icon name="grip-vertical" />
  </span>
)
