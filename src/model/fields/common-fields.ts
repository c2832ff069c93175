// The fields that every kind of resource may hold besides those of the API.

import type { Fields } from './field.ts';

export const commonFields = {
  lifecycle: {
    shape: {
      type: 'object',
      fields: {
        preventDestroy: {
          shape: { type: 'boolean' },
          default: false,
          words:
            'When `true`, Almanac refuses to delete, forget or replace this resource. The protection is kept in the state: deleting the declaration does not lift it; declaring the resource without it and applying does.',
        },
        ignoreChanges: {
          shape: { type: 'list', items: { type: 'string', minLength: 1 }, uniqueItems: true },
          set: true,
          words:
            'Names of fields whose changes are not planned: the value that was applied last stays, or the one that a look at Omni (`--refresh`) has shown.',
        },
      },
    },
    sent: 'never',
    words: 'How Almanac treats this resource; never sent to the service.',
  },
  extra: {
    shape: { type: 'object' },
    words:
      'Fields of the API that Almanac does not know yet, sent as they are beside the others. A field that Almanac knows may not stand here.',
  },
} as const satisfies Fields;
