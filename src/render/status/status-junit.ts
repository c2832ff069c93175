// The status of the schedules as JUnit XML: a test for each schedule, failed where somebody has to look.

import { needsAttention, type ScheduleStatus, type StatusDocument } from '../../model/deliveries/status-document.ts';
import { xmlAttributes, xmlText } from '../junit/xml-text.ts';
import { peopleWords, statusWords, titleOf } from './status-words.ts';

/** Ends with a newline. */
export function renderStatusJunit({ schedules }: StatusDocument): string {
  const failures = schedules.filter(({ health }) => needsAttention(health)).length;
  const skipped = schedules.filter(isSkipped).length;
  const counts = { name: 'almanac status', tests: schedules.length, failures, errors: 0 };
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes(counts)}>`,
    `  <testsuite${xmlAttributes({ ...counts, skipped })}>`,
    ...schedules.map(testOf),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')}\n`;
}

/** It says nothing about deliveries yet. */
function isSkipped({ health }: ScheduleStatus): boolean {
  return health === 'paused' || health === 'never-ran';
}

function testOf(status: ScheduleStatus): string {
  const words = statusWords(status);
  const name = xmlAttributes({ classname: status.managed ? 'schedules' : 'untracked', name: titleOf(status) });
  if (isSkipped(status)) return `    <testcase${name}><skipped${xmlAttributes({ message: words })}/></testcase>`;
  if (!needsAttention(status.health)) return `    <testcase${name}/>`;
  const told = [words, ...peopleWords(status)].join(', ');
  const failure = `<failure${xmlAttributes({ message: words, type: status.health })}>${xmlText(told)}</failure>`;
  return `    <testcase${name}>\n      ${failure}\n    </testcase>`;
}
