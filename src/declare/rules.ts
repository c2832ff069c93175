// The rules beyond the schema, in the order of their findings.

import type { Rule } from './findings/rule.ts';
import { extraHoldsNoKnownField, ignoredFieldsExist } from './rules/almanac-fields.ts';
import { draftIsKept, textsAsMeant, webhookIsSigned } from './rules/cautions.ts';
import { deliveryOptionsFit } from './rules/delivery-options.ts';
import { emailRecipients } from './rules/email-recipients.ts';
import { filtersHaveShape } from './rules/filter-shape.ts';
import { identifierIsShort } from './rules/identifier.ts';
import { s3Destination } from './rules/s3-destination.ts';
import { scheduleFires } from './rules/schedule-fires.ts';
import { secretsComeFromOutside, urlsHoldNoSecret } from './rules/secrets.ts';
import { slackIds } from './rules/slack-ids.ts';
import { timeZoneExists } from './rules/time-zone.ts';
import { webAddresses } from './rules/web-addresses.ts';

export const rules: readonly Rule[] = [
  identifierIsShort,
  scheduleFires,
  timeZoneExists,
  deliveryOptionsFit,
  emailRecipients,
  slackIds,
  webAddresses,
  s3Destination,
  filtersHaveShape,
  draftIsKept,
  webhookIsSigned,
  textsAsMeant,
  secretsComeFromOutside,
  urlsHoldNoSecret,
  ignoredFieldsExist,
  extraHoldsNoKnownField,
];
