// Which schedules a question is about.

import { describe, expect, test } from 'vitest';
import { type Choosable, chooseSchedules, type ScheduleFilter } from '../../src/apply/choose/select.ts';
import { Failure } from '../../src/model/workspace/failure.ts';

const schedule = (key: string, attributes: Choosable['attributes']): Choosable => ({
  kind: 'schedule',
  address: `schedules.${key}`,
  attributes,
});
const resources: readonly Choosable[] = [
  schedule('sales', {
    identifier: '12db1a0a',
    destinationType: 'email',
    recipients: ['Ana@example.com', 'kim@partner.com'],
  }),
  schedule('stock', { identifier: '12db1a0a', destinationType: 'slack', recipients: 'U0123456789, U0AAAAAAAAA' }),
  schedule('export', { identifier: '77aa88bb', destinationType: 'sftp' }),
  schedule('board', { identifier: '77aa88bb', destinationType: 'email', recipients: ['bo@example.com'] }),
  { kind: 'dashboard', address: 'dashboards.sales', attributes: { identifier: '12db1a0a' } },
];

const none: ScheduleFilter = { addresses: [], recipients: [], dashboards: [], destinations: [] };
const chosen = (filter: Partial<ScheduleFilter>) =>
  chooseSchedules(resources, { ...none, ...filter }).map(({ address }) => address.replace('schedules.', ''));
const refusal = (filter: Partial<ScheduleFilter>) => {
  try {
    return chosen(filter).join();
  } catch (error) {
    if (error instanceof Failure) return `${error.message} ${error.hint}`;
    throw error;
  }
};

describe('a filter of schedules', () => {
  test('without a filter every schedule is chosen', () => {
    expect(chosen({})).toEqual(['sales', 'stock', 'export', 'board']);
  });

  test.each<[string, Partial<ScheduleFilter>, readonly string[]]>([
    ['an e-mail address, whatever the case of its letters', { recipients: ['ana@Example.com'] }, ['sales']],
    ['a domain', { recipients: ['*@example.com'] }, ['sales', 'board']],
    ['a Slack id in a text of several', { recipients: ['U0AAAAAAAAA'] }, ['stock']],
    ['one of two recipients', { recipients: ['bo@example.com', 'U0123456789'] }, ['stock', 'board']],
    ['a dashboard', { dashboards: ['77aa88bb'] }, ['export', 'board']],
    ['one of two destinations', { destinations: ['slack', 'sftp'] }, ['stock', 'export']],
    ['a recipient and a dashboard', { recipients: ['*@example.com'], dashboards: ['77aa88bb'] }, ['board']],
    ['an address and a destination that differs', { addresses: ['schedules.sales'], destinations: ['s3'] }, []],
  ])('schedules are chosen by %s', (_, filter, expected) => {
    expect(chosen(filter)).toEqual(expected);
  });

  test.each<[Partial<ScheduleFilter>, string]>([
    [{ recipients: ['ana@example.co'] }, 'No schedule delivers to ana@example.co. Did you mean `Ana@example.com`?'],
    [
      { recipients: ['partner.com'] },
      "No schedule delivers to partner.com. Use an e-mail address, a domain such as '*@partner.com'",
    ],
    [{ recipients: ['*@nobody.org'] }, 'the id of a Slack channel or user.'],
    [{ dashboards: ['12db1a0b'] }, 'Did you mean `12db1a0a`?'],
    [{ dashboards: ['https://acme.omniapp.co/dashboards/77aa88bb?x=1'] }, 'Its identifier is `77aa88bb`.'],
    [{ addresses: ['schedules.sale'] }, 'schedules.sale is not declared. Did you mean `schedules.sales`?'],
    [{ addresses: ['dashboards.sales'] }, 'dashboards.sales is not a schedule.'],
  ])('a value that no schedule has is refused with a hint: %j', (filter, words) => {
    expect(refusal(filter)).toContain(words);
  });

  test('a point in a recipient is no pattern', () => {
    expect(refusal({ recipients: ['ana@example-com'] })).toContain('No schedule delivers');
    expect(refusal({ recipients: ['ana@exampleXcom'] })).toContain('No schedule delivers');
  });
});
