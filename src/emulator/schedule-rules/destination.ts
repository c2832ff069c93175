// The fields that each destination needs and allows. A field of another destination is refused whatever its value.

import { Rejection } from '../pipeline/answer.ts';
import type { DestinationType, ScheduleBody } from './body.ts';
import { isEmailAddress } from './email-address.ts';
import { checkBucket } from './s3-bucket.ts';

type FieldName = keyof ScheduleBody;

const fieldsOf: Readonly<Record<DestinationType, { required: readonly FieldName[]; optional: readonly FieldName[] }>> =
  {
    webhook: { required: ['url'], optional: [] },
    email: { required: ['recipients', 'subject'], optional: ['textBody', 'fanOut'] },
    slack: { required: ['recipients', 'slackRecipientType'], optional: ['textBody'] },
    sftp: { required: ['address', 'port', 'username', 'path'], optional: ['passwordUnencrypted'] },
    s3: { required: ['bucketName', 'region', 'roleArn'], optional: ['keyPrefix', 'filename'] },
  };

const destinationFields = new Set(
  Object.values(fieldsOf).flatMap(({ required, optional }) => [...required, ...optional]),
);

/** Also true for a name that is not a destination field at all. */
export function belongsToDestination(name: string, destinationType: DestinationType): boolean {
  const { required, optional } = fieldsOf[destinationType];
  const isOf = (names: Iterable<string>) => [...names].includes(name);
  return !isOf(destinationFields) || isOf(required) || isOf(optional);
}

export function checkDestination(body: ScheduleBody): void {
  const { required, optional } = fieldsOf[body.destinationType];
  for (const name of required) {
    if (body[name] === undefined) throw new Rejection(400, `${name}: Required`);
  }
  for (const name of destinationFields) {
    if (body[name] !== undefined && !required.includes(name) && !optional.includes(name)) {
      throw new Rejection(400, `${name} cannot be used with destination type ${body.destinationType}`);
    }
  }
  if (body.destinationType === 'email') checkEmailRecipients(body.recipients);
  if (body.destinationType === 'slack') checkSlackRecipients(body);
  if (body.destinationType === 's3') checkBucket(body);
}

function checkEmailRecipients(recipients: ScheduleBody['recipients']): void {
  if (typeof recipients === 'string') throw new Rejection(400, 'recipients: Expected array, received string');
  if (recipients?.length === 0) throw new Rejection(400, 'recipients: Array must contain at least 1 element(s)');
  if (recipients?.every(isEmailAddress) !== true) throw new Rejection(400, 'recipients: Invalid email address');
}

function checkSlackRecipients({ recipients = [], slackRecipientType }: ScheduleBody): void {
  const texts = [recipients].flat();
  const ids = texts.map(slackIdsIn);
  if (ids.length === 0 || ids.some(({ length }) => length === 0)) {
    throw new Rejection(400, 'recipients: At least one Slack recipient must be provided');
  }
  if (slackRecipientType === 'channel' && ids.flat().length > 1) {
    throw new Rejection(400, 'recipients: Only one Slack channel can be specified');
  }
  const isPlain = (text: string) => /^[^\s,]+$/.test(text);
  if (!(slackRecipientType === 'channel' ? texts : ids.flat()).every(isPlain)) {
    throw new Rejection(400, 'recipients: Invalid Slack ID');
  }
}

/** Ignores spaces around ids and extra commas. */
export function slackIdsIn(text: string): string[] {
  const ids = text.split(',').map((id) => id.trim());
  return ids.filter((id) => id !== '');
}
