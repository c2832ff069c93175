// Options without effect, reportedly rejected by the service, or impossible in this workspace.

import type { JsonObject } from '../../model/values/json.ts';
import type { Code } from '../../model/workspace/codes.ts';
import type { Operations } from '../../model/workspace/config.ts';
import type { Rule, RuleFinding } from '../findings/rule.ts';

export interface Option extends Pick<RuleFinding, 'code' | 'message' | 'hint'> {
  readonly field: string;
  readonly isWrong: (fields: JsonObject, operations: Operations) => boolean;
}

/** The first of 1,048,576 has the names of the columns. */
const maxRowsOfSheet = 1_048_575;

export const scheduleOptions: readonly Option[] = [
  {
    field: 'maxRowLimit',
    isWrong: ({ maxRowLimit, overrideRowLimit }) => maxRowLimit !== undefined && overrideRowLimit !== true,
    code: 'row-limit-without-override',
    message: 'maxRowLimit is used only together with overrideRowLimit true, so it has no effect here.',
    hint: 'Add `overrideRowLimit: true`, or remove maxRowLimit.',
  },
  {
    field: 'maxRowLimit',
    isWrong: ({ maxRowLimit }) => typeof maxRowLimit === 'number' && maxRowLimit < 1,
    code: 'row-limit-without-rows',
    message: 'A row limit below 1 leaves no rows to deliver. Whether Omni takes it is not documented.',
    hint: 'Write 1 or more, or remove maxRowLimit.',
  },
  {
    field: 'maxRowLimit',
    isWrong: ({ format, maxRowLimit }) =>
      format === 'xlsx' && typeof maxRowLimit === 'number' && maxRowLimit > maxRowsOfSheet,
    code: 'row-limit-beyond-sheet',
    message:
      'A sheet of Excel holds 1,048,575 rows below the names of the columns. What Omni does with more is not documented.',
    hint: 'Write 1048575 or less, or deliver `format: csv`.',
  },
  {
    field: 'singleColumnLayout',
    isWrong: ({ paperFormat, singleColumnLayout }) => paperFormat === 'fit_page' && singleColumnLayout === true,
    code: 'fit-page-single-column',
    message: 'According to its documentation, Omni rejects paperFormat fit_page together with singleColumnLayout true.',
    hint: 'Choose a paper size, or remove singleColumnLayout.',
  },
  {
    field: 'testNow',
    isWrong: ({ testNow }) => testNow === true,
    code: 'one-off-schedule',
    message: 'With testNow true, applying sends one delivery and creates no recurring schedule.',
    hint: 'Remove testNow for a recurring schedule.',
  },
  {
    field: 'userGroups',
    isWrong: ({ userGroups, testNow }) => Array.isArray(userGroups) && userGroups.length > 0 && testNow === true,
    code: 'test-not-supported',
    message: 'The service has no test delivery to user groups.',
    hint: 'Remove userGroups, or testNow.',
  },
  needsFull('paused', 'paused-needs-full', 'cannot pause a schedule'),
  needsFull('timezoneOverride', 'override-needs-full', 'does not include a time zone for queries'),
  needsFull('userGroups', 'groups-need-full', 'cannot send a schedule to a user group'),
  needsFull('owner', 'owner-needs-full', 'cannot transfer a schedule'),
  oneOwner('schedule'),
];

export const dashboardOptions: readonly Option[] = [
  {
    field: 'clearExistingDraft',
    isWrong: ({ clearExistingDraft }) => clearExistingDraft === true,
    code: 'discards-draft',
    message: 'An unpublished draft of this dashboard would be discarded. All of its editors share one draft.',
    hint: 'Remove clearExistingDraft once the draft is published or discarded.',
  },
];

export const routineOptions: readonly Option[] = [oneOwner('routine')];

export const aiJobOptions: readonly Option[] = [
  {
    field: 'webhookUrl',
    isWrong: ({ webhookUrl, webhookSigningSecret }) =>
      typeof webhookUrl === 'string' && webhookSigningSecret === undefined,
    code: 'unsigned-webhook',
    message: 'Without a signature, the receiver cannot tell whether Omni sent an event.',
    hint: 'Add `webhookSigningSecret: ${env.NAME}`.',
  },
];

function needsFull(field: string, code: Code, lacks: string): Option {
  return {
    field,
    isWrong: ({ [field]: value }, operations) =>
      operations === 'core' && (Array.isArray(value) ? value.length > 0 : value !== undefined),
    code,
    message: `This workspace uses operations core, which ${lacks}.`,
    hint: `Set \`api: { operations: full }\` in almanac.yaml, or remove ${field}.`,
  };
}

function oneOwner(words: string): Option {
  return {
    field: 'userId',
    // An address and an id may name the same person, and only Omni can tell.
    isWrong: ({ owner, userId }) =>
      owner !== undefined && userId !== undefined && String(owner).toLowerCase() !== String(userId).toLowerCase(),
    code: 'owner-conflict',
    message: 'owner and userId do not name the same user in the same way.',
    hint: `Remove userId: a new ${words} is created for its owner.`,
  };
}

export function optionsFit(options: readonly Option[]): Rule {
  return ({ value }, { operations }) =>
    options
      .filter(({ isWrong }) => isWrong(value, operations))
      .map(({ field, isWrong: _, ...words }) => ({ ...words, pointer: `/${field}`, at: 'key' }));
}
