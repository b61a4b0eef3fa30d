import { deferred } from '../../core/deferred.tsx'
import type { FieldProps } from '../../core/registries.ts'
import type { Option } from '../../ui/combobox.tsx'
import type { Link } from '../value/values.ts'

/** What the user can do with the text typed into a relation. */
export type Choice =
  | { readonly kind: 'take'; readonly link: Link }
  /** To see it in its form and switch it on there. */
  | { readonly kind: 'archived'; readonly id: number }
  | { readonly kind: 'all'; readonly name: string; readonly taken: readonly number[] }
  | { readonly kind: 'create'; readonly name: string }
  | { readonly kind: 'edit'; readonly name: string }

export const relationOf = ({ field }: Pick<FieldProps, 'field'>): string => field.relation ?? ''

// Loaded only when a record is chosen.
const choices = deferred(() => import('./relation-choices.ts'))

/** Options for a typed text: matching records without those in `taken`, all of them in a dialog, and the items to create one. */
export const findOptions = async (
  props: FieldProps,
  typed: string,
  signal: AbortSignal,
  taken: readonly number[] = [],
): Promise<readonly Option<Choice>[]> => (await choices.load()).offeredChoices(props, typed, signal, taken)

/** The record that results from the chosen option; null if the user cancelled or the request failed. */
export const resolveChoice = async (props: FieldProps, choice: Choice): Promise<Link | null> =>
  (await choices.load()).recordOfChoice(props, choice)
