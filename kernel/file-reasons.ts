/** Why a file or its rows are VALIDATION: the part of `REASONS` about imports. */
export const FILE_REASONS = {
  file_invalid: {
    meaning: 'An uploaded file cannot be read as a table, or is too large a one.',
    example: 'The file has more than 200 columns.',
    details: { fields: { file: 'The file has more than 200 columns.' } },
  },
  mapping_invalid: {
    meaning:
      'Columns of an import are mapped to fields that they cannot fill; `fields` has a sentence for each column.',
    example: 'Contact has no field colour.',
    details: { fields: { Colour: 'Contact has no field colour.' } },
  },
  rows_invalid: {
    meaning: 'Rows of an import are refused, so nothing was imported; `rows` has the first 50 problems.',
    example: '1 row cannot be imported. Nothing was imported.',
    details: { rows: [{ row: 2, column: 'Colour', value: 'x', message: 'Must be a whole number.' }], count: 1 },
  },
} as const
