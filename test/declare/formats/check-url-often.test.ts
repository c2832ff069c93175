// A workspace with thousands of schedules checks thousands of URLs in one process.

import { expect, test } from 'vitest';
import { checkUrl } from '../../../src/declare/formats/check-url.ts';
import { isHttpUrl } from '../../../src/emulator/requests.ts';

test('an internationalised host is as valid the ten-thousandth time as the first', () => {
  const url = 'https://bücher.example/hook';
  const verdicts = Array.from({ length: 20_000 }, () => checkUrl(url).length === 0 && isHttpUrl(url));
  expect(verdicts.indexOf(false)).toBe(-1);
});
