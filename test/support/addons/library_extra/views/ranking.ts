import { defineViewKind } from '#kernel'

/** A tenth kind of view: records in the order of a score. `client/ranking.tsx` draws it. */
export const ranking = defineViewKind({
  name: 'ranking',
  label: 'Ranking',
  elements: ['field'],
  required: ['score'],
  fieldAttributes: ['score'],
  content: 'records',
})
