// The two spellings of an internationalised host are one host.

import { expect, it } from 'vitest';
import { declare, plan, schedule, stateOf } from '../support/plan/planning.ts';

it('a host in letters and the same host in ASCII plan nothing', () => {
  const at = (url: string) => {
    const { recipients: _, subject: __, ...rest } = schedule();
    return { ...rest, destinationType: 'webhook', url };
  };
  const desired = declare({ 'schedules.s': at('https://bücher.example/in') });
  expect(plan(desired, stateOf({ 'schedules.s': at('https://xn--bcher-kva.example/in') })).changes).toEqual([]);
  expect(plan(desired, stateOf({ 'schedules.s': at('https://bucher.example/in') })).changes).toHaveLength(1);
});
