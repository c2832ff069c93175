import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dashboardUrl, scheduleUrl } from '../../src/model/values/urls.ts';
import { hostileMarkupText } from '../support/report/hostile-markup.ts';

const base = 'https://acme.omniapp.co/api';

test.each([
  [base, '12db1a0a', 'https://acme.omniapp.co/dashboards/12db1a0a'],
  [`${base}/`, '12db1a0a', 'https://acme.omniapp.co/dashboards/12db1a0a'],
  ['https://acme.playground.exploreomni.dev/api', 'a_b-C', 'https://acme.playground.exploreomni.dev/dashboards/a_b-C'],
  ['https://omni.acme.example:8443/api', 'x', 'https://omni.acme.example:8443/dashboards/x'],
  [base, "sales (Q3)?#'~!*é", 'https://acme.omniapp.co/dashboards/sales%20%28Q3%29%3F%23%27%7E%21%2A%C3%A9'],
])('the dashboard of %s and %j is at %s', (baseUrl, identifier, url) => {
  expect(dashboardUrl(baseUrl, identifier)).toBe(url);
});

test.each([
  [null, 'x', 'no base URL is set'],
  ['acme', 'x', 'it is not a URL'],
  ['javascript:alert(1)//api', 'x', 'it is a script'],
  ['ftp://acme.omniapp.co/api', 'x', 'it is not HTTP'],
  ['https://proxy.example/omni/api', 'x', 'nobody knows what a proxy has beside the API'],
  ['https://acme.omniapp.co/api?next=//evil.example', 'x', 'a base URL has no query'],
  ['https://user:password@acme.omniapp.co/api', 'x', 'it holds a password'],
  ['http://127.0.0.1:4010/api', 'x', 'an emulator has no pages'],
  ['http://localhost:4010/api', 'x', 'an emulator has no pages'],
  ['http://[::1]:4010/api', 'x', 'an emulator has no pages'],
  ['https://acme)`.example/api', 'x', 'its host has a meaning in Markdown'],
  [base, '', 'there is no identifier'],
  [base, '..', 'browsers take it for the folder above'],
  [base, '\ud800', 'it is half a character'],
  [base, 'x'.repeat(201), 'no identifier is that long'],
])('the dashboard of %s and %j is not linked: %s', (baseUrl, identifier, _reason) => {
  expect(dashboardUrl(baseUrl, identifier)).toBeUndefined();
});

test('a schedule has a page below that of its dashboard, where that has one', () => {
  const id = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7';
  expect(scheduleUrl(base, '12db1a0a', id)).toBe(`https://acme.omniapp.co/dashboards/12db1a0a/schedules/${id}`);
  expect(scheduleUrl(base, '12db1a0a', '../x')).toBe('https://acme.omniapp.co/dashboards/12db1a0a/schedules/..%2Fx');
  expect(scheduleUrl(base, '..', id)).toBeUndefined();
  expect(scheduleUrl(base, '12db1a0a', '..')).toBeUndefined();
  expect(scheduleUrl('http://127.0.0.1:4010/api', '12db1a0a', id)).toBeUndefined();
});

test('the dashboard of a hostile identifier stays on the host of the service, in characters without a meaning', () => {
  fc.assert(
    fc.property(hostileMarkupText, (identifier) => {
      const url = dashboardUrl(base, identifier);
      if (url !== undefined) expect(url).toMatch(/^https:\/\/acme\.omniapp\.co\/dashboards\/[A-Za-z0-9._%-]+$/);
    }),
  );
});
