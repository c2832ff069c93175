// The fields that are Almanac's own: those that every kind of resource may have in addition to those of the API, those of a
// loop, and those of an audience.

import { isJsonObject } from '../values/json.ts';
import { codeList } from '../values/words.ts';
import { acceptableCodes, codes } from '../workspace/codes.ts';
import type { Fields, ResourceField, ResourceFields, Shape } from './field.ts';
import * as patterns from './patterns.ts';
import { literalText, metaOwner, metaTag } from './patterns.ts';
import { emailAddress, filled, flag } from './shapes.ts';

/** The reason why a warning may stay, and until when. */
const acceptance = {
  type: 'textOrRecord',
  fields: {
    reason: filled({ required: true, words: 'Why the warning may stay.' }),
    until: {
      shape: {
        type: 'string',
        pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
        patternWords: 'A day, such as `2027-03-31`.',
        code: 'invalid-until',
        explained: true,
      },
      words:
        'The last day on which the warning is accepted, such as `2027-03-31`; days are those of UTC. In its last 30 days a note names the acceptance. After it `validate` and `plan` report the warning again, and other commands warn and go on.',
    },
  },
} as const satisfies Shape;

/** `ignorable`: what can be ignored. Editors offer these names, and a rule says more of any other. */
function lifecycleIgnoring(ignorable: Fields) {
  const names = Object.keys(ignorable);
  return {
    shape: {
      type: 'object',
      fields: {
        preventDestroy: flag({
          words:
            'When `true`, Almanac refuses to delete, forget or replace this resource. The state remembers the protection, so deleting the declaration does not lift it. To lift it, apply the declaration without this field.',
        }),
        ignoreChanges: {
          shape: {
            type: 'list',
            items: {
              type: 'string',
              minLength: 1,
              pattern: `^(?:${names.join('|')})$`,
              patternWords:
                names.length === 0
                  ? 'Nothing here can be ignored.'
                  : `One of ${codeList(names)}: nothing else can be ignored.`,
              code: 'not-ignorable',
              explained: true,
              suggested: Object.fromEntries(names.map((name) => [name, ignorable[name]?.words ?? ''])),
            },
            uniqueItems: true,
          },
          set: true,
          words:
            'Names of fields that people change in Omni: changes of the declaration are not planned, and the value that was applied last is kept, or the one that a look (`--refresh`) found in Omni. Only names, texts, the layout and when it runs can be ignored. Everything else decides who receives a report, which rows it shows, with whose rights, or what the rows mean.',
        },
      },
    },
    sent: 'never',
    decides: 'nothing',
    read: 'never',
    words: 'How Almanac treats this resource. Never sent to the service.',
  } as const satisfies ResourceField;
}

/** The fields that every kind of resource has. What can be ignored differs by kind. */
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
    decides: 'nothing',
    read: 'never',
    words:
      'The environments in which this resource exists, such as `[production]`; all of them when omitted. Where it does not exist, it is deleted. Commands that read the state or send a request then need `--env`.',
  },
  lifecycle: lifecycleIgnoring({}),
  accept: {
    shape: {
      type: 'object',
      entries: acceptance,
      names: Object.fromEntries(acceptableCodes.map((code) => [code, codes[code].summary])),
      accepted: Object.keys(codes),
      namesWords:
        'There is no such warning, so the entry accepts nothing: write the code of a warning, which is in brackets behind `warning` or `error`.',
    },
    sent: 'never',
    mayLack: true,
    decides: 'nothing',
    read: 'never',
    words:
      'Warnings about this resource that somebody has looked at: the code of each, with the reason why it may stay, or with `{ reason: …, until: "2027-03-31" }`. Reports only count them, and `--strict` does not fail. Never sent to the service.',
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
            'Who answers for this resource, such as a team. Reports name the owner of what changes, and `owner:NAME` selects by it. The account that owns a schedule in Omni is the field `owner`.',
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
          words: 'Words to select by: `tag:board`.',
        },
        ticket: filled({
          words: 'Where this resource was asked for, such as `BI-42`.',
        }),
        note: filled({ words: 'What else people should know.' }),
      },
    },
    sent: 'never',
    mayLack: true,
    decides: 'nothing',
    read: 'never',
    words:
      'What people want to know about this resource. Never sent to the service. A change in it alone takes no request and needs no review.',
  },
  extra: {
    shape: { type: 'object' },
    decides: 'who',
    read: 'never',
    words:
      'Fields of the API that Almanac does not know yet. They are sent unchanged with the others. Fields that Almanac knows are not allowed here.',
  },
} as const satisfies ResourceFields;

/** The table of a kind: its own fields, and then those of every kind. */
export function withCommonFields<const F extends ResourceFields>(own: F) {
  const ignorable = Object.fromEntries(Object.entries(own).filter(([, field]) => field.ignorable));
  return { ...own, ...commonFields, lifecycle: lifecycleIgnoring(ignorable) };
}

/** Attributes, declared or applied, with what people wrote about the resource in `meta`. */
interface WithMeta {
  readonly meta?: unknown;
}

/** Returns undefined if `meta` names nobody. */
export function ownerInMeta({ meta }: WithMeta): string | undefined {
  const owner = isJsonObject(meta) ? meta['owner'] : undefined;
  return typeof owner === 'string' && owner !== '' ? owner : undefined;
}

export function tagsInMeta({ meta }: WithMeta): readonly string[] {
  const tags = isJsonObject(meta) ? meta['tags'] : undefined;
  return Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string') : [];
}

/** The texts to which a cell of a CSV file is compared. */
const cellTexts = {
  type: 'textOrList',
  pattern: '\\S',
  patternWords: 'The text of a cell, or a list of such texts.',
} as const;

/**
 * The fields that make a declaration stand for many resources. They are gone once a loop is expanded, so they are no fields
 * of a resource: nothing sends them, and no state holds them.
 */
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
        file: filled({
          required: true,
          words: 'The path of the file, relative to the source file. Its first line holds the names of the columns.',
        }),
        key: filled({
          required: true,
          words: 'The column whose values are the keys of the items.',
        }),
        only: {
          shape: { type: 'object', minFields: 1, entries: cellTexts },
          words:
            'Takes only the rows whose cells have these texts, by column: `{ format: xlsx }`, or `{ format: [xlsx, csv] }`. Of several columns, all must match.',
        },
        except: {
          shape: { type: 'object', minFields: 1, entries: cellTexts },
          words:
            'Leaves out the rows that `only` with the same map would take. Two loops that share a table in this way move an instance from one to the other when its cell changes.',
        },
        empty: {
          shape: {
            type: 'object',
            minFields: 1,
            entries: { type: 'string', pattern: '\\S', patternWords: 'The text for a blank cell.' },
          },
          words:
            'The text to read where a cell is blank, by column: `{ language: en }`. `only` and `except` compare it as well.',
        },
      },
    },
    words:
      'Makes one resource for each row of a CSV file, or for some of them. `${each.NAME}` is the text in the column with that name. Not together with `forEach`.',
  },
} as const satisfies Fields;

export const audienceFields = {
  emails: {
    shape: { type: 'list', items: emailAddress, minItems: 1 },
    set: true,
    words: 'The e-mail addresses, for schedules that are delivered by e-mail.',
  },
  userGroups: {
    shape: { type: 'list', items: { type: 'string', minLength: 1 }, minItems: 1 },
    set: true,
    exact: true,
    words:
      'The names or ids of user groups of Omni, for schedules that are delivered by e-mail and use the audience in `userGroups`.',
  },
  slack: {
    shape: {
      type: 'string',
      pattern: patterns.oneSlackChannel,
      patternWords: 'One id, such as `C0123456789`.',
      code: 'one-slack-channel',
    },
    words: 'The id of a Slack channel or user, for schedules that are delivered to Slack.',
  },
  accept: {
    shape: {
      type: 'object',
      fields: { 'recipient-not-inside': { shape: acceptance, words: 'Why addresses outside may receive reports.' } },
    },
    words:
      'The check `recipient-not-inside` is waived for the addresses of this audience: the reason, or `{ reason: …, until: "2027-03-31" }`.',
  },
  note: {
    shape: { type: 'string' },
    words: 'For people, such as why this audience may receive the data. Nothing reads it.',
  },
} as const satisfies Fields;
