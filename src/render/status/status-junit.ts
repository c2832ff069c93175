// The status of the schedules as JUnit XML: a test for each schedule, failed where somebody has to look.

import { needsAttention, type ScheduleStatus, type StatusDocument } from '../../model/deliveries/status-document.ts';
import { xmlAttributes, xmlText } from '../junit/xml-text.ts';
import { peopleWords, statusWords, titleOf, zoneOf, zoneWords } from './status-words.ts';

/** Ends with a newline. */
export function renderStatusJunit(document: StatusDocument): string {
  const { schedules } = document;
  const zone = zoneOf(document);
  const failures = schedules.filter(({ health }) => needsAttention(health)).length;
  const skipped = schedules.filter(isSkipped).length;
  const counts = { name: 'almanac status', tests: schedules.length, failures, errors: 0 };
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes(counts)}>`,
    `  <testsuite${xmlAttributes({ ...counts, skipped })}>`,
    ...schedules.map((status) => testOf(status, zone)),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')}\n`;
}

/** It says nothing about deliveries yet. */
function isSkipped({ health }: ScheduleStatus): boolean {
  return health === 'paused' || health === 'never-ran';
}

function testOf(status: ScheduleStatus, zone: string): string {
  const words = statusWords(status, { zone });
  const name = xmlAttributes({ classname: status.managed ? 'schedules' : 'untracked', name: titleOf(status) });
  if (isSkipped(status)) return `    <testcase${name}><skipped${xmlAttributes({ message: words })}/></testcase>`;
  if (!needsAttention(status.health)) return `    <testcase${name}/>`;
  const times = zoneWords([status], zone);
  const told = `${[words, ...peopleWords(status)].join(', ')}${times === '' ? '' : `. ${times}`}`;
  const failure = `<failure${xmlAttributes({ message: words, type: status.health })}>${xmlText(told)}</failure>`;
  return `    <testcase${name}>\n      ${failure}\n    </testcase>`;
}
