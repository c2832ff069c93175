// The status of the schedules as JUnit XML: a test for each schedule, failed where somebody has to look.

import { needsAttention, type ScheduleStatus, type StatusDocument } from '../../model/deliveries/status-document.ts';
import { renderTests, type TestCase } from '../junit/junit.ts';
import { peopleWords, statusWords, titleOf, zoneOf, zoneWords } from './status-words.ts';

/** Ends with a newline. */
export function renderStatusJunit(document: StatusDocument): string {
  const zone = zoneOf(document);
  return renderTests(
    'almanac status',
    document.schedules.map((status) => testOf(status, zone)),
  );
}

function testOf(status: ScheduleStatus, zone: string): TestCase {
  const { health, managed } = status;
  const test = { classname: managed ? 'schedules' : 'untracked', name: titleOf(status) };
  const words = statusWords(status, { zone });
  // It says nothing about deliveries yet.
  if (health === 'paused' || health === 'never-ran') return { test, kind: 'skipped', result: { message: words } };
  if (!needsAttention(health)) return { test };
  const times = zoneWords([status], zone);
  const text = `${[words, ...peopleWords(status)].join(', ')}${times === '' ? '' : `. ${times}`}`;
  return { test, kind: 'failure', result: { message: words, type: health }, text };
}
