// The fields that every kind of resource may have in addition to those of the API.

import { codes, warningCodes } from '../workspace/codes.ts';
import type { Fields } from './field.ts';
import { literalText, metaOwner, metaTag } from './patterns.ts';

export const commonFields = {
  in: {
    shape: {
      type: 'list',
      items: {
        type: 'string',
        minLength: 1,
        pattern: literalText,
        patternWords: 'The name of an environment, which cannot be interpolated.',
      },
      minItems: 1,
      uniqueItems: true,
    },
    sent: 'never',
    literal: true,
    words:
      'The environments in which this resource exists, such as `[production]`; all of them when omitted. Where it does not exist, it is deleted. Commands that read the state or send a request then need `--env`.',
  },
  lifecycle: {
    shape: {
      type: 'object',
      fields: {
        preventDestroy: {
          shape: { type: 'boolean' },
          default: false,
          words:
            'When `true`, Almanac refuses to delete, forget or replace this resource. The state remembers the protection, so deleting the declaration does not lift it. To lift it, apply the declaration without this field.',
        },
        ignoreChanges: {
          shape: { type: 'list', items: { type: 'string', minLength: 1 }, uniqueItems: true },
          set: true,
          words:
            'Names of fields whose changes are not planned. The last applied value is kept, or the value that a refresh (`--refresh`) found in Omni.',
        },
      },
    },
    sent: 'never',
    words: 'How Almanac treats this resource. Never sent to the service.',
  },
  accept: {
    shape: {
      type: 'object',
      entries: { type: 'string', minLength: 1 },
      names: Object.fromEntries(warningCodes.map((code) => [code, codes[code].summary])),
    },
    sent: 'never',
    words:
      'Warnings about this resource that somebody has looked at: the code of each, with the reason why it may stay. Reports only count them, and `--strict` does not fail. Never sent to the service.',
  },
  meta: {
    shape: {
      type: 'object',
      fields: {
        owner: {
          shape: {
            type: 'string',
            pattern: metaOwner,
            patternWords: 'A person or a team, such as `@acme/finance`, without commas and asterisks.',
          },
          words:
            'Who answers for this resource, such as a team. Reports name the owner of what changes, and `--select owner:NAME` selects by it. The account that owns a schedule in Omni is the field `owner`.',
        },
        tags: {
          shape: {
            type: 'list',
            items: {
              type: 'string',
              pattern: metaTag,
              patternWords: 'A word, such as `board`, without white space, commas and asterisks.',
            },
            uniqueItems: true,
          },
          set: true,
          words: 'Words to select by: `--select tag:board`.',
        },
        ticket: {
          shape: { type: 'string', minLength: 1 },
          words: 'Where this resource was asked for, such as `BI-42`.',
        },
        note: { shape: { type: 'string', minLength: 1 }, words: 'What else people should know.' },
      },
    },
    sent: 'never',
    words:
      'What people want to know about this resource. Never sent to the service. A change in it alone takes no request and needs no review.',
  },
  extra: {
    shape: { type: 'object' },
    words:
      'Fields of the API that Almanac does not know yet. They are sent unchanged with the others. Fields that Almanac knows are not allowed here.',
  },
} as const satisfies Fields;
