import { expect, test } from 'vitest';
import { BadFault, type Fault, parseFault } from '../../src/emulator/faults.ts';

test.each<[string, Fault]>([
  ['429', { fault: '429' }],
  ['429,retry-after=2,at=1', { fault: '429', retryAfter: 2, at: 1 }],
  ['drop-after,on=POST /v1/schedules,at=3', { fault: 'drop-after', on: 'POST /v1/schedules', at: 3 }],
  ['500 , p=0.1 , seed=7', { fault: '500', p: 0.1, seed: 7 }],
  ['latency,ms=200', { fault: 'latency', ms: 200 }],
  ['cut,on=DELETE,every=2', { fault: 'cut', on: 'DELETE', every: 2 }],
  ['huge,on=/v1/ai/', { fault: 'huge', on: '/v1/ai/' }],
  ['500,on=POST ', { fault: '500', on: 'POST' }],
  ['503-after,retry-after=0', { fault: '503-after', retryAfter: 0 }],
])('the fault %s is parsed', (text, fault) => {
  expect(parseFault(text)).toEqual(fault);
});

test.each([
  [
    'drop',
    'There is no fault "drop". The faults are latency, 429, 500, 502, 503, 504, 500-after, 502-after, 503-after, 504-after, drop-before, drop-after, cut, garbage, no-id, huge, run-error, run-delivered, run-killed, run-unmet, run-missed.',
  ],
  ['', /^There is no fault ""/],
  ['toString', /^There is no fault/],
  ['500,nth=3', '"nth=3" is not a setting. The settings are on=, at=, every=, p=, seed=, ms=, retry-after=.'],
  ['500,retryAfter=3', /^"retryAfter=3" is not a setting/],
  ['500,fault=429', /^"fault=429" is not a setting/],
  ['500,at', /^"at" is not a setting/],
  ['500,', /^"" is not a setting/],
  ['500,at=1,at=2', '"at" appears twice.'],
  ['500,at=0', '"at" must be a whole number from 1.'],
  ['500,at=-1', '"at" must be a whole number from 1.'],
  ['500,every=1.5', '"every" must be a whole number from 1.'],
  ['500,at=', '"at" must be a whole number from 1.'],
  ['500,p=0', '"p" must be above 0 and at most 1.'],
  ['500,p=1.1', '"p" must be above 0 and at most 1.'],
  ['500,p=0.5,seed=x', '"seed" must be a whole number from 0 to 4294967295.'],
  ['500,seed=1', '"seed" needs p.'],
  ['500,at=1,p=0.5', 'Use only one of at, every and p, not at and p.'],
  ['latency', 'A latency needs "ms".'],
  ['latency,ms=soon', '"ms" must be a whole number from 0 to 600000.'],
  ['500,ms=20', 'Only latency takes "ms".'],
  ['cut,retry-after=2', /^"retry-after" is only for 429, 500,/],
  ['500,on=', /^"on" cannot be ""/],
  [
    '500,on=post /v1',
    '"on" cannot be "post /v1". It is a method, a path below /api, or both, such as POST /v1/schedules.',
  ],
  ['500,on=POST v1', /^"on" cannot be/],
])('the fault %j is refused', (text, message) => {
  expect(() => parseFault(text)).toThrow(BadFault);
  expect(() => parseFault(text)).toThrow(message);
});
