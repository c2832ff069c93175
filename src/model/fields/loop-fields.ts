// The fields that make a declaration stand for many resources. They are gone once a loop is expanded, so they are no fields
// of a resource: nothing sends them, and no state holds them.

import type { Fields } from './field.ts';

export const loopFields = {
  forEach: {
    shape: { type: 'object' },
    words:
      'Makes one resource for each item of this map. `${each.key}` is the key of the item, `${each.NAME}` one of its values, and `${each.value}` an item that is not a map. The key is the last part of the address: `schedules.regional-sales.emea`. The map can also be one whole `${var.NAME}`.',
  },
  forEachRow: {
    shape: {
      type: 'object',
      fields: {
        file: {
          shape: { type: 'string', minLength: 1 },
          required: true,
          words: 'The path of the file, relative to the source file. Its first line holds the names of the columns.',
        },
        key: {
          shape: { type: 'string', minLength: 1 },
          required: true,
          words: 'The column whose values are the keys of the items.',
        },
      },
    },
    words:
      'Makes one resource for each row of a CSV file. `${each.NAME}` is the text in the column with that name. Not together with `forEach`.',
  },
} as const satisfies Fields;
