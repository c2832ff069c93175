// The fields of an S3 destination of which the service says what they hold: the bucket, a prefix inside the bucket, and a file
// name template without extension.

import { aText, noText } from './checks.ts';
import { leavesItsFolder } from './folder-above.ts';

export const aBucket = aText((text) => !/^[a-z\d.-]{3,63}$/.test(text) && 'Invalid S3 bucket name');
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
