// A command that a message advises is run here as it is printed, in the situation that prints it, and must do what the
// message says. The program runs in this process.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { weekly } from '../support/cli/open-stage.ts';
import { makeFolder, type Ran, start, workspaceIn } from '../support/workspace.ts';

const daily = { ...weekly, name: 'Daily sales', schedule: '0 9 * * ? *' };

/** One line, however wide the terminal. */
const flat = (text: string) => text.replace(/\s+/g, ' ');
const textOf = ({ stdout, stderr }: Ran) => flat(`${stdout}\n${stderr}`);

/** The one command in backticks after these words. */
function advised(text: string, words: string): string {
  const at = text.indexOf(words);
  const [, command] = /^[^`]*`almanac ([^`]+)`/.exec(text.slice(at + words.length)) ?? [];
  if (at < 0 || command === undefined) throw new Error(`no command after "${words}" in: ${text}`);
  return command;
}

async function stage(operations: 'core' | 'full' = 'full') {
  const emulator = createEmulator({ rateLimit: 0, now: () => start, operations });
  const { baseUrl, organizationKey } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const folder = makeFolder({
    'almanac.yaml': { api: { baseUrl, operations, rateLimit: 0 }, safety: { maxDeletePercent: 100 } },
    'schedules/all.yaml': { schedules: { weekly, daily } },
  });
  const workspace = workspaceIn(folder, { OMNI_API_TOKEN: organizationKey });
  const run = (command: string) => workspace.run(...command.split(' '));
  await run('apply --auto-approve');
  return { ...folder, emulator, run };
}

const consent = (command: string) => (command.startsWith('apply') ? `${command} --auto-approve` : command);

/** Somebody swaps a recipient, which only a deep look shows, or the time, which every look shows. */
const swaps = {
  'a deep look': { argv: 'drift --deep', field: 'recipients', value: ['spy@evil.example'] },
  'a look at the list': { argv: 'drift', field: 'schedule', value: '0 8 ? * TUE *' },
} as const;

describe('what drift advises', () => {
  it.each([
    ['drift schedules.weekly', 'only this resource, write'],
    ['drift --write --deep schedules.weekly', 'follow `--write` directly:'],
  ])('the command that answers an address in the wrong place works: %s', async (argv, words) => {
    const { run } = await stage();
    const refused = await run(argv);
    expect(refused.code).toBe(1);
    expect(await run(advised(textOf(refused), words))).toMatchObject({ code: 0, stderr: '' });
  });

  it.each(
    (['a deep look', 'a look at the list'] as const).flatMap((look) =>
      (['text', 'markdown'] as const).map((format) => [look, format] as const),
    ),
  )('the command that undoes a change after %s, in %s, undoes it', async (look, format) => {
    const { argv, field, value } = swaps[look];
    const { emulator, run } = await stage();
    const fields = () => JSON.stringify(emulator.data().schedules[1]);
    const before = fields();
    emulator.edit(({ schedules: [, found] }) => Object.assign(found?.fields ?? {}, { [field]: value }));
    expect(fields()).not.toBe(before);
    const command = advised(textOf(await run(`${argv} --format ${format}`)), 'To undo a change:');
    expect(command.includes('=deep')).toBe(look === 'a deep look');
    expect((await run(consent(command))).code).toBe(0);
    expect(fields()).not.toContain('spy@evil.example');
    expect((await run('drift --deep')).code).toBe(0);
  });

  it.each(
    (['a deep look', 'a look at the list'] as const).flatMap((look) =>
      (['text', 'markdown'] as const).map((format) => [look, format] as const),
    ),
  )(
    'the command that keeps a change after %s, in %s, keeps it, and the next advice records it',
    async (look, format) => {
      const { argv, field, value } = swaps[look];
      const { emulator, run, read } = await stage();
      emulator.edit(({ schedules: [, found] }) => Object.assign(found?.fields ?? {}, { [field]: value }));
      const command = advised(textOf(await run(`${argv} --format ${format}`)), 'To keep it:');
      const kept = await run(command);
      expect(read('schedules/all.yaml')).toContain(String(value));
      const sent = emulator.requests().filter(({ method }) => method !== 'GET').length;
      expect((await run(consent(advised(textOf(kept), 'commit it:')))).code).toBe(0);
      expect(emulator.requests().filter(({ method }) => method !== 'GET')).toHaveLength(sent);
      expect((await run('drift --deep')).code).toBe(0);
      expect((await run('plan')).stdout).toContain('No changes.');
    },
  );

  it('the command that compares the details compares them', async () => {
    const { run } = await stage();
    const looked = textOf(await run('drift'));
    expect((await run(advised(looked, 'not compared;'))).stdout).not.toContain('not compared');
  });
});

describe('what a refusal advises', () => {
  it('the command that doctor names for orphans lists them, and the one that a plan names clears one', async () => {
    const { run, write } = await stage('core');
    write({ 'schedules/all.yaml': { schedules: {} } });
    const refused = textOf(await run('apply --auto-approve --allow-empty'));
    const clear = advised(refused, 'clear them from the list with');
    await run('apply --auto-approve --allow-empty --allow-orphans');
    const list = advised(textOf(await run('doctor')), 'untracked.');
    const [id = ''] = /[0-9a-f-]{36}/.exec((await run(list)).stdout) ?? [];
    expect((await run(clear.replace('ID', id))).code).toBe(0);
    expect((await run(list)).stdout).not.toContain(id);
  });

  it('the command that shows what a state tracks is advised for an address that it does not track', async () => {
    const { run } = await stage();
    const refused = textOf(await run('state show schedules.weekley'));
    expect(refused).toContain('schedules.weekly');
    const unknown = textOf(await run('plan --target schedules.other'));
    expect((await run(advised(unknown, 'declared or listed by'))).stdout).toContain('schedules.weekly');
  });
});

/** Messages of ours that name a command: not comments, and not the examples of the help. */
function messages(): readonly string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ts$/.test(path) && !/\.d\.ts$|compiled|code-help|scaffold|completion|emulator/.test(path))
    .filter((path) => !/command\.ts$|commands\.ts$|program\.ts$/.test(path));
  const found = files.flatMap((path) => {
    const lines = readFileSync(join('src', path), 'utf8').split('\n');
    const code = lines.filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line)).join('\n');
    const named = code.matchAll(/almanac ((?:state |ai )?[a-z]+(?: --[a-z-]+(?:=[a-z]+)?)*)/g);
    return [...named].map(([, command]) => `${path}: ${command}`);
  });
  return [...new Set(found)].sort();
}

/** Words after the name of the program. */
const notCommands = /: (?:reads|does|from|with|for|in)$/;

/** By file below src. Where you add a message that names a command, test that command and add it here. */
const known: Readonly<Record<string, readonly string[]>> = {
  'adapters/http/api-failure.ts': ['plan'],
  'adapters/http/base-url.ts': ['apply --allow-http'],
  'adapters/http/operations.ts': ['ai cancel', 'ai status', 'plan --refresh', 'status'],
  'adapters/state/file-lock.ts': ['apply --lock-timeout', 'state unlock'],
  'adapters/state/keep-aside.ts': ['state push'],
  'adapters/state/locked-file-state.ts': ['state resolve'],
  'adapters/state/postgres/postgres-error.ts': ['state init', 'state init --print-sql'],
  'adapters/state/postgres/postgres-log.ts': ['state init --print-sql'],
  'adapters/state/s3/s3-failure.ts': ['state check'],
  'adapters/state/shared/lock-failures.ts': [
    'apply',
    'apply --lock-timeout',
    'plan --refresh',
    'state pull',
    'state unlock',
  ],
  'adapters/state/shared/log-reader.ts': ['plan --refresh', 'state history'],
  'adapters/state/shared/log-store.ts': ['state check'],
  'adapters/state/shared/read-history.ts': ['state history'],
  'adapters/state/shared/succession.ts': ['state push'],
  'adapters/state/state-files.ts': ['apply', 'plan --refresh'],
  'commands/apply/open-reviewed.ts': ['plan'],
  'commands/base/session.ts': ['init', 'plan --state'],
  'commands/fmt/format.ts': ['fmt'],
  'commands/next/chosen-schedules.ts': ['next'],
  'commands/offboard/check-options.ts': ['who'],
  'commands/plan/plan.ts': ['apply'],
  'commands/plan/request-proposal.ts': ['plan --state', 'state pull'],
  'commands/schema/schema.ts': ['schema', 'schema --workspace'],
  'commands/show/show.ts': ['plan --out'],
  'commands/state/init.ts': ['apply', 'state init', 'state migrate'],
  'engine/ai-jobs/ai-job.ts': ['ai status', 'apply', 'state list'],
  'engine/apply/ambiguous.ts': ['state resolve'],
  'engine/apply/check-reviewed.ts': ['plan', 'plan --format'],
  'engine/apply/check-rotated.ts': ['plan --out'],
  'engine/apply/create-guard.ts': ['state orphans --clear'],
  'engine/apply/execute-step.ts': ['apply', 'apply --replace', 'state orphans --clear'],
  'engine/apply/find-sent.ts': ['state resolve'],
  'engine/apply/only-known-here.ts': ['state resolve'],
  'engine/choose/choose-schedules.ts': ['documents', 'state list'],
  'engine/choose/choose-tracked.ts': ['state list'],
  'engine/doctor/check-configuration.ts': ['validate'],
  'engine/doctor/check-git.ts': ['state migrate'],
  'engine/doctor/check-lock.ts': ['apply --lock-timeout', 'state unlock'],
  'engine/doctor/check-secrets.ts': ['apply'],
  'engine/doctor/check-state.ts': ['apply', 'plan', 'state orphans', 'state resolve'],
  'engine/drift/drift-goals.ts': ['apply --refresh'],
  'engine/drift/refusal-words.ts': ['show --resolved'],
  'engine/import/document-parameters.ts': ['documents --format'],
  'engine/import/document-stubs.ts': ['documents'],
  'engine/import/draft-sources.ts': ['import'],
  'engine/import/refusals.ts': ['apply'],
  'engine/import/secrets/hide-secrets.ts': ['apply'],
  'engine/leaving/owned-schedules.ts': ['apply', 'apply --refresh'],
  'engine/load/load.ts': ['init'],
  'engine/propose/open-saved-plan.ts': ['apply', 'plan --out'],
  'engine/propose/propose.ts': ['apply'],
  'engine/propose/saved-plan.ts': ['plan', 'plan --out'],
  'engine/propose/secret-keys.ts': ['apply'],
  'engine/propose/selection.ts': ['state list', 'test'],
  'engine/state/current-state.ts': ['apply', 'state unlock'],
  'engine/state/migrate-state.ts': ['apply', 'state migrate', 'state pull', 'state pull --serial'],
  'engine/state/repair-state.ts': ['plan', 'state list', 'state orphans', 'state pull', 'state resolve', 'state show'],
  'engine/state/shared-place.ts': ['state migrate'],
  'engine/state/through-sink.ts': ['apply --env'],
  'engine/state/unmoved-state.ts': ['state list', 'state migrate', 'state migrate --from', 'state push'],
  'engine/trigger/choose-triggers.ts': ['apply', 'state list'],
  'engine/trigger/refusals.ts': ['apply --env', 'state resolve', 'test'],
  'model/fields/config-fields.ts': ['drift --untracked'],
  'model/fields/schedule-fields.ts': ['apply'],
  'parse/expand/resolve-reference.ts': ['apply'],
  'parse/parse-digests.ts': ['plan --format'],
  'parse/parse-resources.ts': ['test'],
  'parse/state/parse-journal.ts': ['plan'],
  'parse/state/parse-log-entry.ts': ['state migrate'],
  'parse/state/parse-state.ts': ['plan --refresh', 'state migrate'],
  'plan/block.ts': ['apply', 'apply --refresh', 'apply --replace', 'state resolve', 'state rm'],
  'plan/finished-entries.ts': ['fmt --prune', 'state orphans --clear'],
  'plan/guard.ts': ['state orphans --clear'],
  'render/apply/ai-job-text.ts': ['ai status', 'state rm'],
  'render/apply/apply-text.ts': ['fmt --prune'],
  'render/apply/import-text.ts': ['apply', 'doctor', 'fmt --prune', 'import --write-state', 'plan'],
  'render/diagnostics/diagnostics-github.ts': ['validate'],
  'render/diagnostics/diagnostics-junit.ts': ['validate'],
  'render/drift/drift-markdown.ts': ['drift --untracked'],
  'render/drift/drift-report.ts': ['apply --refresh-only', 'drift --deep'],
  'render/drift/untracked-text.ts': ['import --identifier'],
  'render/drift/written-text.ts': ['apply --refresh'],
  'render/fold/fold-report.ts': ['fold', 'plan'],
  'render/next/busy-text.ts': ['next --timezone'],
  'render/next/next-calendar.ts': ['next'],
  'render/next/next-text.ts': ['next --at'],
  'render/people/offboard-text.ts': ['plan'],
  'render/plan/drift-text.ts': ['drift --untracked'],
  'render/plan/html/plan-html.ts': ['apply', 'apply --expect', 'state resolve'],
  'render/plan/markdown/plan-markdown.ts': ['apply', 'apply --expect', 'state resolve'],
  'render/plan/orphan-text.ts': ['apply', 'state orphans --clear', 'state resolve'],
  'render/plan/plan-text.ts': ['drift --deep --write'],
  'render/state/state-text.ts': ['state list', 'state show'],
  'render/status/status-junit.ts': ['status'],
  'render/status/status-words.ts': ['plan --refresh'],
  'render/text/elsewhere-words.ts': ['drift', 'fmt --prune', 'plan', 'status', 'validate'],
  'validate/online/check-dashboard.ts': ['documents'],
  'validate/rules/moved-and-adopted.ts': ['state rm'],
  'validate/rules/secrets.ts': ['apply'],
};

it('every command that a message names is listed here, so that a new message is noticed', () => {
  const listed = Object.entries(known).flatMap(([path, commands]) => commands.map((command) => `${path}: ${command}`));
  expect(messages().filter((message) => !notCommands.test(message))).toEqual(listed.sort());
});

it.each([...new Set(Object.values(known).flat())].sort())(
  'the command line has almanac %s, which messages name',
  async (command) => {
    const words = command.split(' ');
    const names = words.filter((word) => !word.startsWith('--'));
    const { run } = workspaceIn(makeFolder(), {});
    const { code, stdout: own } = await run(...names, '--help');
    expect(code).toBe(0);
    expect(own).toContain(`Usage: almanac ${names.join(' ')}`);
    const stdout = own + (await run('--help')).stdout;
    for (const option of words.filter((word) => word.startsWith('--'))) expect(stdout).toContain(option.split('=')[0]);
  },
);
