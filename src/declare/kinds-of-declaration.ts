// The checks of each kind of resource, a row for each kind.

import type { Destination } from '../model/fields/field.ts';
import type { Kind } from '../model/values/address.ts';
import { memoize } from '../model/values/collections.ts';
import type { Code } from '../model/workspace/codes.ts';
import type { Declared } from '../model/workspace/resource.ts';
import type { Rule } from './findings/rule.ts';
import { acceptancesEndOnDays, acceptedCodesExist } from './rules/acceptance-days.ts';
import { conditionsAreMeant } from './rules/filter-conditions.ts';
import { dashboardFilters, deliveryFilters, type FiltersOfKind, filtersHaveShape } from './rules/filter-shape.ts';
import { valuesAreValues } from './rules/not-values.ts';
import { aiJobOptions, dashboardOptions, optionsFit, routineOptions, scheduleOptions } from './rules/options.ts';
import {
  extraHoldsNoKnownField,
  identifierIsShort,
  onlyIgnorableIsIgnored,
  serverIsReadable,
  webAddresses,
} from './rules/own-fields.ts';
import { recipientsAreMeant } from './rules/recipients.ts';
import { s3Destination } from './rules/s3-destination.ts';
import { scheduleFires } from './rules/schedule-fires.ts';
import { secretsComeFromOutside, urlsHoldNoSecret } from './rules/secrets.ts';
import { aiJobTexts, routineTexts, scheduleTexts, textsAsMeant } from './rules/texts.ts';
import { timeZonesExist } from './rules/time-zones.ts';
import { dashboardIsDeclaredOnce, deliveryIsItsOwn, nameIsItsOwn, type Unique } from './rules/unique.ts';

/** The places where a kind names parts of its dashboard. */
export type NamesInField = { readonly named: 'filter' | 'control' | 'filter or control' | 'query' } & (
  | { readonly keysOf: string }
  | { readonly valueOf: string }
  | { readonly eachOf: string }
);

export interface SinksOfKind {
  /** The field with the destination. */
  readonly saidIn: string;
  /** The fields that the sink of each destination gives or removes. No sink can replace an absent destination. */
  readonly give: Readonly<
    Partial<Record<Destination, (sink: Declared) => Readonly<Record<string, Declared | undefined>>>>
  >;
}

interface KindOfDeclaration {
  /** The rules that its own fields need, in the order of their findings; those of every kind follow. */
  readonly rules: readonly Rule[];
  readonly filters?: FiltersOfKind;
  /** The names from a dashboard, which a check against Omni looks up there; undefined for kinds without a dashboard. */
  readonly namesOnDashboard?: readonly NamesInField[];
  /** Undefined for a kind that delivers nothing. */
  readonly sinks?: SinksOfKind;
  /** The values that two of them may not share, or should not: the first one is reported. */
  readonly unique?: readonly Unique[];
  /** The code that is reported once if operations core cannot have any of them. */
  readonly needsFull?: Code;
}

export const kindsOfDeclaration: Readonly<Record<Kind, KindOfDeclaration>> = {
  dashboard: {
    rules: [
      identifierIsShort,
      filtersHaveShape(dashboardFilters),
      conditionsAreMeant(dashboardFilters),
      optionsFit(dashboardOptions),
    ],
    filters: dashboardFilters,
    namesOnDashboard: [
      { named: 'filter', keysOf: 'filters' },
      { named: 'control', keysOf: 'controls' },
      { named: 'filter or control', eachOf: 'filterOrder' },
    ],
    unique: [dashboardIsDeclaredOnce],
  },
  schedule: {
    rules: [
      identifierIsShort,
      scheduleFires,
      timeZonesExist('timezone', 'timezoneOverride'),
      optionsFit(scheduleOptions),
      recipientsAreMeant,
      serverIsReadable,
      s3Destination,
      filtersHaveShape(deliveryFilters),
      conditionsAreMeant(deliveryFilters),
      textsAsMeant(scheduleTexts),
    ],
    filters: deliveryFilters,
    namesOnDashboard: [
      { named: 'filter', keysOf: 'filterConfig' },
      { named: 'query', valueOf: 'queryIdentifierMapKey' },
      { named: 'query', valueOf: 'conditionQueryMapKey' },
    ],
    sinks: {
      saidIn: 'destinationType',
      give: {
        email: (recipients) => ({ recipients, userGroups: undefined }),
        slack: (recipients) => ({ recipients, slackRecipientType: 'channel' }),
        webhook: (url) => ({ url }),
      },
    },
    unique: [deliveryIsItsOwn, nameIsItsOwn(['identifier'], 'on the same dashboard', 'duplicate-schedule')],
  },
  routine: {
    rules: [
      scheduleFires,
      timeZonesExist('timezone'),
      optionsFit(routineOptions),
      recipientsAreMeant,
      textsAsMeant(routineTexts),
    ],
    sinks: {
      saidIn: 'destination',
      give: {
        email: (recipientEmails) => ({ destination: { type: 'email', recipientEmails } }),
        slack: (recipientId) => ({ destination: { type: 'slack', recipientId, slackRecipientType: 'channel' } }),
      },
    },
    unique: [nameIsItsOwn(['modelId', 'owner', 'userId'], 'for the same model and owner', 'duplicate-routine')],
    needsFull: 'routines-need-full',
  },
  aiJob: {
    rules: [optionsFit(aiJobOptions), textsAsMeant(aiJobTexts)],
    sinks: { saidIn: 'webhookUrl', give: { webhook: (webhookUrl) => ({ webhookUrl }) } },
  },
};

/** The kind's table of fields is all that these need. */
const ofEveryKind: readonly Rule[] = [
  valuesAreValues,
  webAddresses,
  secretsComeFromOutside,
  urlsHoldNoSecret,
  onlyIgnorableIsIgnored,
  extraHoldsNoKnownField,
  acceptedCodesExist,
  acceptancesEndOnDays,
];

/** The rules beyond the schema, in the order of their findings. */
export const rulesOf = memoize((kind: Kind): readonly Rule[] => [...kindsOfDeclaration[kind].rules, ...ofEveryKind]);
