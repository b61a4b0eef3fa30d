/** Why a query is refused as BAD_REQUEST: a part of `REASONS`. */
export const QUERY_REASONS = {
  domain_invalid: {
    meaning: 'The domain is not valid; `position` has the indices from its root to the place.',
    example: 'Domain[0][1]: unknown operator.',
    details: { position: [0, 1] },
  },
  order_invalid: {
    meaning: 'Records or groups cannot be ordered like this.',
    example: 'Records of core.partner cannot be ordered by image.',
  },
  order_too_costly: {
    meaning: 'More records match than can be sorted like this in a very large table; `limit` is how many can.',
    example: 'More than 200,000 records cannot be sorted by Company. Filter them first.',
    details: { field: 'parent_id', limit: 200_000 },
  },
  cursor_invalid: {
    meaning: 'The cursor was changed, or belongs to another query.',
    example: 'The cursor does not belong to this query.',
  },
  group_invalid: {
    meaning: 'Records cannot be grouped by this.',
    example: 'Records of core.partner cannot be grouped by image.',
  },
  measure_invalid: {
    meaning: 'There is no such measure of this field.',
    example: 'Unknown measure "median": there are sum, avg, min, max, count, count_distinct.',
  },
  view_unknown: {
    meaning: 'The model has no view of this kind.',
    example: 'view_type: Contact has no view of this kind.',
    details: { path: 'query.view_type' },
  },
  filter_invalid: {
    meaning: 'The view has no such filter, or its period cannot be read.',
    example: 'filter: there is no filter late here.',
    details: { path: 'query.filter' },
  },
} as const
