// What counts as secret in a URL: who knows it can send in somebody's name.

import { describe, expect, test } from 'vitest';
import { secretsInUrl } from '../../src/model/values/url-secrets.ts';

function hidden(url: string): string {
  let text = '';
  let last = 0;
  for (const { start, end } of secretsInUrl(url)) {
    text += `${url.slice(last, start)}***`;
    last = end;
  }
  return text + url.slice(last);
}

describe('the path of a hook of a well-known service is secret from the place where it can be guessed no more', () => {
  test.each([
    ['https://hooks.slack.com/services/T0/B0/hush', 'https://hooks.slack.com/services/***'],
    ['https://HOOKS.slack.com./services//T0/B0/hush', 'https://HOOKS.slack.com./services//***'],
    ['https://hooks.slack-gov.com/triggers/T0/hush', 'https://hooks.slack-gov.com/triggers/***'],
    ['https://discord.com/api/webhooks/12/hush', 'https://discord.com/api/webhooks/***'],
    ['https://canary.discordapp.com/api/v10/webhooks/12/hush', 'https://canary.discordapp.com/api/v10/webhooks/***'],
    [
      'https://acme.webhook.office.com/webhookb2/1@2/IncomingWebhook/hush/3',
      'https://acme.webhook.office.com/webhookb2/***',
    ],
    ['https://outlook.office.com/webhook/1@2/IncomingWebhook/hush', 'https://outlook.office.com/webhook/***'],
    ['https://api.telegram.org/bot12:hush/sendDocument', 'https://api.telegram.org/bot***'],
    ['https://hooks.zapier.com/hooks/catch/12/hush/', 'https://hooks.zapier.com/hooks/catch/***'],
    ['https://hook.eu1.make.com/hush', 'https://hook.eu1.make.com/***'],
    ['https://maker.ifttt.com/trigger/x/with/key/hush', 'https://maker.ifttt.com/trigger/x/with/key/***'],
    ['https://maker.ifttt.com/trigger/x/json/with/key/hush', 'https://maker.ifttt.com/trigger/x/json/with/key/***'],
    ['https://events.pagerduty.com/integration/hush/enqueue', 'https://events.pagerduty.com/integration/***'],
    ['https://open.larksuite.com/open-apis/bot/v2/hook/hush', 'https://open.larksuite.com/open-apis/bot/v2/hook/***'],
    ['https://webhook.site/hush', 'https://webhook.site/***'],
  ])('%s', (url, shown) => {
    expect(hidden(url)).toBe(shown);
  });
});

describe('a parameter is secret if its name says so, however its words are joined', () => {
  test.each([
    'token',
    'access_token',
    'accessToken',
    'apikey',
    'apiKey',
    'X-API-Key',
    'client_secret',
    'clientSecret',
    'sig',
    'X-Amz-Signature',
    'auth',
    'pwd',
    'pass',
    'hmac',
    '%74oken',
  ])('%s', (name) => {
    expect(hidden(`https://a.example/in?x=1&${name}=hush&y=2`)).toBe(`https://a.example/in?x=1&${name}=***&y=2`);
  });

  test('the code of a function at Azure is its key, and a code elsewhere is not', () => {
    expect(hidden('https://f.azurewebsites.net/api/x?code=hush')).toBe('https://f.azurewebsites.net/api/x?code=***');
    expect(hidden('https://a.example/in?code=DE')).toBe('https://a.example/in?code=DE');
  });
});

describe('a long random part of a path is secret', () => {
  test.each([
    ['https://chat.acme.example/hooks/8kq3xnz5w7fd9mxu4p1h6gtyeo', 'https://chat.acme.example/hooks/***'],
    ['https://a.example/in/5f4dcc3b5aa765d61d8327deb882cf99/send', 'https://a.example/in/***/send'],
    ['https://a.example/eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl', 'https://a.example/***'],
  ])('%s', (url, shown) => {
    expect(hidden(url)).toBe(shown);
  });
});

describe('what can be guessed is not secret', () => {
  test.each([
    'https://hooks.example.com/reports/260',
    'https://a.example/weekly-report-2026-01-02-to-2026-01-09-final',
    'https://a.example/weekly_report_2026_01_02_final_version_2',
    'https://a.example/11111111-2222-3333-4444-555555555555',
    'https://a.example/internationalizationoftheworldofreports',
    'https://a.example/20260101000000000000000000000000',
    'https://a.example/in?monkey=1&keyword=2&signal=3&author=me&passenger=4',
    'https://discord.com/channels/12/34',
    'https://slack.com/services/T0',
  ])('%s', (url) => {
    expect(hidden(url)).toBe(url);
  });
});

test('a URL with very many segments and parameters is read quickly', () => {
  const url = `https://a.example/${'a1'.repeat(50_000)}/${'/x'.repeat(50_000)}?${'a=b&'.repeat(50_000)}`;
  // Whatever takes more than linear time takes minutes at this size.
  expect(secretsInUrl(url)).toBeDefined();
});
