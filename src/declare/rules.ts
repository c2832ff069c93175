// The rules beyond the schema, in the order of their findings.

import type { Rule } from './findings/rule.ts';
import { filtersHaveShape } from './rules/filter-shape.ts';
import { filtersHaveValues } from './rules/filter-values.ts';
import { identifierIsShort } from './rules/identifier.ts';
import { deliveryOptionsFit } from './rules/options.ts';
import { extraHoldsNoKnownField, ignoredFieldsExist } from './rules/own-fields.ts';
import { recipientsAreMeant } from './rules/recipients.ts';
import { s3Destination } from './rules/s3-destination.ts';
import { scheduleFires } from './rules/schedule-fires.ts';
import { draftIsKept, webhookIsSigned } from './rules/second-look.ts';
import { secretsComeFromOutside, urlsHoldNoSecret } from './rules/secrets.ts';
import { textsAsMeant } from './rules/texts.ts';
import { timeZonesExist } from './rules/time-zones.ts';
import { webAddresses } from './rules/web-addresses.ts';

export const rules: readonly Rule[] = [
  identifierIsShort,
  scheduleFires,
  timeZonesExist,
  deliveryOptionsFit,
  recipientsAreMeant,
  webAddresses,
  s3Destination,
  filtersHaveShape,
  filtersHaveValues,
  draftIsKept,
  webhookIsSigned,
  textsAsMeant,
  secretsComeFromOutside,
  urlsHoldNoSecret,
  ignoredFieldsExist,
  extraHoldsNoKnownField,
];
