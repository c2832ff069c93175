// The fields of an S3 destination: bucket, region and role as AWS names them, a prefix inside the bucket, and a file
// name template without extension.

import { Rejection } from '../pipeline/answer.ts';
import type { ScheduleBody } from './body.ts';
import { leavesItsFolder } from './path-traversal.ts';

const arn = /^arn:aws(?:-[a-z]+)*:iam::\d{12}:role\/(?:[\x21-\x7e]{1,510}\/)?[\w+=,.@-]{1,64}$/;
const region = /^(?!fips-)[a-z]{2,4}(?:-[a-z]+)+-\d$/;

const variables: readonly string[] = [
  'currentDate',
  'currentTime',
  'currentYear',
  'currentMonth',
  'currentDay',
  'yesterdayDate',
  'timeZone',
  'entityName',
  'format',
  'scheduledTaskName',
];

export function checkBucket({
  bucketName = '',
  region: name = '',
  roleArn = '',
  keyPrefix,
  filename,
}: ScheduleBody): void {
  if (!/^[a-z\d.-]{3,63}$/.test(bucketName)) refuse('bucketName', 'Invalid S3 bucket name');
  if (!region.test(name)) refuse('region', 'Invalid AWS region');
  if (!arn.test(roleArn)) refuse('roleArn', 'Invalid IAM role ARN');
  if (keyPrefix !== undefined && leavesItsFolder(keyPrefix)) refuse('keyPrefix', 'Path traversal is not allowed');
  if (filename !== undefined) checkFileName(filename);
}

function checkFileName(template: string): void {
  if (template.trim() === '') refuse('filename', 'String must contain at least 1 character(s)');
  for (const opened of template.split('{{').slice(1)) {
    const end = opened.indexOf('}}');
    if (end < 0) refuse('filename', 'Invalid template: a {{ is not closed');
    const variable = opened.slice(0, end).trim();
    if (!variables.includes(variable)) refuse('filename', `Unknown template variable: ${variable}`);
  }
  if (/\.(?:csv|json|pdf|png|xlsx|\{\{\s*format\s*\}\})$/i.test(template)) {
    refuse('filename', 'The file name must not have an extension');
  }
}

function refuse(field: string, message: string): never {
  throw new Rejection(400, `${field}: ${message}`);
}
