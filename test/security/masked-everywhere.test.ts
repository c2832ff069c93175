// Secrets that Omni quotes in its answers are never shown. Omni may say why it refused a request or stopped a schedule,
// what something is called, or how a run ended. No command, format or spelling shows a declared secret.

import { expect, it, onTestFinished } from 'vitest';
import { isJsonObject, type Json } from '../../src/model/values/json.ts';
import { openGateway } from '../support/emulator/gateway.ts';
import { startFull } from '../support/emulator/start-emulator.ts';
import { bareText } from '../support/security/bare-text.ts';
import { hook, mail } from '../support/vocabulary.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const secrets = {
  OMNI_API_TOKEN: 'omni_osk_demo_organization_key',
  HOOK_KEY: 'T024/B9+x/k3y-Of-tHe~hook',
  // Only a schedule of another environment names it.
  OTHER_KEY: 'pr0duction&only=s3cret',
};

const spellings = Object.values(secrets).flatMap((secret) => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  new URLSearchParams({ a: secret }).toString().slice(2),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('hex').toUpperCase(),
  secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
]);
const quoted = spellings.map((spelling) => `<${spelling}>`).join(' ');

function expectHidden(command: string, output: string): void {
  const text = bareText(output);
  for (const spelling of spellings) {
    for (const part of [spelling, spelling.slice(0, 14)])
      expect(text, `${command}: ${output}`).not.toContain(bareText(part));
  }
}

const weekly = mail({ name: 'Weekly', subject: 'Weekly' });
const secretHook = hook({ name: 'Hook', url: 'https://hooks.example.com/${env.HOOK_KEY}' });
const elsewhere = hook({ name: 'Elsewhere', in: ['prod'], url: 'https://hooks.example.com/${env.OTHER_KEY}' });
const gone = mail({ name: 'Gone', subject: 'Gone' });
const declared = { schedules: { mail: weekly, hook: secretHook, gone, elsewhere } };

const texts = ['name', 'displayName', 'dashboardName', 'ownerName', 'description', 'display', 'subject', 'label'];

/** With a quote in every text that Omni writes as it likes. */
function quoting(value: Json): Json {
  if (Array.isArray(value)) return value.map(quoting);
  if (!isJsonObject(value)) return value;
  const quotes = Object.entries(value).map(([key, entry]) => [
    key,
    texts.includes(key) && typeof entry === 'string' ? `${entry} ${quoted}` : quoting(entry),
  ]);
  const row = 'destinationType' in value ? { systemDisabledReason: stopped, lastStatus: `ERROR ${quoted}` } : {};
  return { ...Object.fromEntries(quotes), ...row };
}
const stopped = `The webhook https://hooks.example.com/x?key=${secrets.HOOK_KEY} failed. ${quoted}`;

/** Omni, as it answers until it is told to quote; then it refuses what begins with `refuses`. */
async function openOmni() {
  const { emulator, baseUrl } = await startFull();
  let mode: { readonly quotes: boolean; readonly refuses?: RegExp; readonly says?: string } = { quotes: false };
  const gateway = await openGateway(baseUrl, async ({ method, path }, forward) => {
    if (mode.refuses?.test(`${method} ${path}`))
      return { status: 400, text: JSON.stringify({ detail: `No: ${mode.says ?? quoted}` }) };
    const { status, text } = await forward();
    const isQuoted = mode.quotes && method === 'GET' && status < 300;
    return { status, text: isQuoted ? JSON.stringify(quoting(JSON.parse(text))) : text };
  });
  onTestFinished(() => gateway.close());
  return {
    emulator,
    baseUrl: gateway.baseUrl,
    answer: (next: typeof mode) => {
      mode = next;
    },
  };
}

async function openStage() {
  const omni = await openOmni();
  const api = { baseUrl: omni.baseUrl, operations: 'full', rateLimit: 0 };
  const files = {
    'almanac.yaml': { api, environments: { dev: {}, prod: { state: { path: 'prod.state.json' } } } },
    'schedules/all.yaml': declared,
  };
  const workspace = workspaceIn(makeFolder(files), secrets);
  await workspace.apply('--env', 'dev');
  const run = (...argv: readonly string[]) => workspace.run(...argv, '--env', 'dev');
  const expectSilent = async (...argv: readonly string[]) => {
    const { stdout, stderr } = await run(...argv);
    expect(stdout + stderr, argv.join(' ')).not.toBe('');
    expectHidden(argv.join(' '), stdout + stderr);
    return stdout + stderr;
  };
  return { ...workspace, ...omni, run, expectSilent };
}

it.each([
  'status',
  'status --all -v',
  'status --all --format json',
  'status --format markdown',
  'drift',
  'drift --deep --format json',
  'drift --deep --untracked --format markdown',
  'plan --refresh -v',
  'plan --refresh --format json',
  'plan --refresh --format markdown',
  'plan --refresh --format html',
  'plan --refresh --format gitlab',
  'plan --refresh-only -v',
  'plan --online --format json',
  'validate --online',
  'who --online',
  'who --online --format json',
  'who --online --format csv',
  'offboard ana@example.com',
  'offboard ana@example.com --format json',
  'list documents',
  'list documents --format json',
  'list documents --format yaml',
  'list models',
  'list people',
  'list groups --dashboard 12db1a0a',
  'list groups --format json',
  'import --out imported',
  'import --out imported --format json',
  'doctor',
])('%s hides what Omni quotes in names, reasons and states', async (command) => {
  const stage = await openStage();
  const { schedules } = declared;
  const { elsewhere: _, ...here } = schedules;
  stage.write({ 'schedules/all.yaml': { schedules: { ...here, added: mail({ name: 'Added', subject: 'A' }) } } });
  stage.write({ 'schedules/prod.yaml': { schedules: { elsewhere } } });
  await stage.apply('--env', 'dev');
  stage.write({ 'schedules/all.yaml': { schedules: here } });
  stage.answer({ quotes: true });
  await stage.expectSilent(...command.split(' '));
});

it.each([
  ['PUT', ['apply', '--auto-approve']],
  ['POST', ['apply', '--auto-approve']],
  ['DELETE', ['apply', '--auto-approve', '--format', 'json']],
  ['PUT .*pause', ['apply', '--auto-approve']],
  ['POST .*trigger', ['trigger', 'schedules.mail', '--auto-approve']],
  ['GET', ['apply', '--auto-approve', '--refresh']],
  ['GET', ['plan', '--refresh', '--format', 'json']],
  ['GET', ['drift']],
  ['GET', ['status']],
  ['GET', ['status', '--format', 'json']],
  ['GET', ['who', '--online']],
  ['GET', ['offboard', 'ana@example.com']],
  ['GET', ['list', 'documents']],
  ['GET', ['import', '--out', 'imported']],
  ['GET', ['validate', '--online']],
  ['GET', ['doctor']],
] as const)('a refused %s quotes no secret in %j', async (refused, argv) => {
  const stage = await openStage();
  const changed = { ...weekly, subject: 'Changed', paused: true };
  stage.write({
    'schedules/all.yaml': { schedules: { mail: changed, hook: secretHook, added: mail({ name: 'Added' }), elsewhere } },
  });
  stage.answer({ quotes: false, refuses: new RegExp(`^${refused}`) });
  expect(await stage.expectSilent(...argv)).toContain('(sensitive)');
});

it.each([
  ['text', 'crm/9f2e-end-of-the-address'],
  ['json', 'crm/9f2e-end-of-the-address'],
  ['text', 'null-9f2e'],
])('a refused DELETE quotes no secret that only the state names, as %s: %s', async (format, value) => {
  const stage = await openStage();
  stage.environment['CRM_URL_END'] = value;
  const old = { ...secretHook, name: 'Old', url: 'https://hooks.example.com/${env.CRM_URL_END}' };
  stage.write({ 'schedules/all.yaml': { schedules: { mail: weekly, old } } });
  await stage.apply('--env', 'dev');
  stage.write({ 'schedules/all.yaml': { schedules: { mail: weekly } } });
  stage.answer({ quotes: false, refuses: /^DELETE/, says: value });
  const output = await stage.expectSilent('apply', '--auto-approve', '--format', format);
  expect(output).not.toContain(value);
  expect(output).toContain('No: (sensitive)');
});

it.each(['null12345', 'null:12345', 'undefined1', 'https://h.example/k3y'])(
  'a secret that looks like the origin of a URL is masked as a whole: %s',
  async (value) => {
    const stage = await openStage();
    stage.environment['HOOK_KEY'] = value;
    stage.answer({ quotes: false, refuses: /^GET/, says: `<${value}>` });
    const { stdout, stderr } = await stage.run('status');
    expect(stdout + stderr).toMatch(/<(?:https:\/\/h\.example)?\(sensitive\)>/);
  },
);

it('reports in files hide what Omni quotes', async () => {
  const stage = await openStage();
  stage.answer({ quotes: true });
  const formats = ['text', 'json', 'markdown'];
  await stage.run('status', '--all', ...formats.flatMap((format) => ['--report', `${format}=status.${format}`]));
  for (const format of formats) expectHidden(format, stage.read(`status.${format}`));
  await stage.run('plan', '--refresh', '--report', 'html=plan.html', '--report', 'markdown=plan.md');
  for (const file of ['plan.html', 'plan.md']) expectHidden(file, stage.read(file));
});

it('status names only the host of a URL in a reason', async () => {
  const stage = await openStage();
  stage.answer({ quotes: true });
  const { schedules } = JSON.parse((await stage.run('status', '--format', 'json')).stdout);
  expect(schedules[0].reason).toContain('The webhook hooks.example.com failed.');
});

it('what is compared is not masked: a declared address that a variable happens to hold is shown in the plan', async () => {
  const stage = await openStage();
  stage.environment['BRANCH'] = 'mallory@evil.example';
  const recipients = ['ana@example.com', 'mallory@evil.example'];
  const other = { ...secretHook, name: 'Other', url: 'https://hooks.example.com/${env.BRANCH}' };
  stage.write({ 'schedules/all.yaml': { schedules: { mail: { ...weekly, recipients }, hook: secretHook, other } } });
  for (const argv of [['plan'], ['plan', '--refresh', '--format', 'markdown'], ['plan', '--format', 'json']])
    expect((await stage.run(...argv)).stdout).toContain('mallory@evil.example');
});
