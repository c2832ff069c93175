// The fields of an S3 destination: bucket, region and role as AWS names them, a prefix inside the bucket, and a file name
// template without extension.

import { aText, noText } from './checks.ts';
import { leavesItsFolder } from './folder-above.ts';

const arn = /^arn:aws(?:-[a-z]+)*:iam::\d{12}:role\/(?:[\x21-\x7e]{1,510}\/)?[\w+=,.@-]{1,64}$/;
const region = /^(?!fips-)[a-z]{2,4}(?:-[a-z]+)+-\d$/;

export const aBucket = aText((text) => !/^[a-z\d.-]{3,63}$/.test(text) && 'Invalid S3 bucket name');
export const aRegion = aText((text) => !region.test(text) && 'Invalid AWS region');
export const aRoleArn = aText((text) => !arn.test(text) && 'Invalid IAM role ARN');
export const aKeyPrefix = aText((text) => leavesItsFolder(text) && 'Path traversal is not allowed');
export const aFileName = aText(faultInFileName);

const variables =
  'currentDate currentTime currentYear currentMonth currentDay yesterdayDate timeZone entityName format scheduledTaskName';

function faultInFileName(template: string): string | undefined {
  if (template.trim() === '') return noText;
  for (const opened of template.split('{{').slice(1)) {
    const end = opened.indexOf('}}');
    if (end < 0) return 'Invalid template: a {{ is not closed';
    const variable = opened.slice(0, end).trim();
    if (!variables.split(' ').includes(variable)) return `Unknown template variable: ${variable}`;
  }
  const hasExtension = /\.(?:csv|json|pdf|png|xlsx|\{\{\s*format\s*\}\})$/i.test(template);
  return hasExtension ? 'The file name must not have an extension' : undefined;
}
