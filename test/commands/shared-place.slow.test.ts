// What commands do where almanac.yaml keeps the state in a place that many share.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Outside } from '../../src/commands/base/world.ts';
import type { DoctorDocument } from '../../src/commands/doctor/doctor-document.ts';
import type { PlanDocument } from '../../src/model/plan/plan.ts';
import type { State } from '../../src/model/plan/state.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { renderJournalLine } from '../../src/state/format/parse-journal.ts';
import { renderState } from '../../src/state/format/parse-state.ts';
import { stateOf } from '../support/apply/declared.ts';
import { createdAndDied, madeId } from '../support/apply/memory-place.ts';
import { makeFakePlace } from '../support/apply/shared-place.ts';
import { weekly } from '../support/cli/open-stage.ts';
import { expectDocument } from '../support/schemas.ts';
import { expectRefused } from '../support/security/refused.ts';
import { says } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

const branch = 'git branch almanac-state of origin';
const git = 'api: { operations: full, rateLimit: 0 }\nstate: { backend: git }\n';
const declarations = { schedules: { weekly } };

async function open(files: Readonly<Record<string, unknown>> = {}, extra: Partial<Outside> = {}) {
  const place = makeFakePlace();
  const workspace = await openWorld(
    { 'almanac.yaml': git, 'schedules/all.yaml': declarations, ...files },
    { outside: { ...place.outside, ...extra } },
  );
  const exists = (path: string) => existsSync(join(workspace.path, path));
  const inGit = (...argv: readonly string[]) => execFileSync('git', argv, { cwd: workspace.path, stdio: 'pipe' });
  const baseUrl = `${workspace.environment['OMNI_BASE_URL']}`;
  const stateWith = (more: Partial<State> = {}) => stateOf({ 'schedules.old': {} }, { baseUrl, ...more });
  const doctor = async (...argv: readonly string[]) => {
    const { checks } = JSON.parse(
      (await workspace.run('doctor', '--format', 'json', ...argv)).stdout,
    ) as DoctorDocument;
    return Object.fromEntries(checks.map((check) => [check.name, check]));
  };
  return { ...workspace, place, exists, inGit, stateWith, doctor };
}

/** The lines of a first apply to a file. */
const firstJournal = ({ stateWith }: Pick<Awaited<ReturnType<typeof open>>, 'stateWith'>) => {
  const { header, lines } = createdAndDied(stateWith());
  return [{ ...header, serial: 0 }, ...lines].map(renderJournalLine);
};

describe('a shared place', () => {
  it('an apply writes to the shared place and to no file, and the plan after it is empty', async () => {
    const { place, ...workspace } = await open();
    await workspace.apply();
    expect(Object.keys(place.store.stored.state?.resources ?? {})).toEqual(['schedules.weekly']);
    expect(workspace.exists('almanac.state.json')).toBe(false);
    expect((await workspace.plan()).changes).toEqual([]);
  });

  it('a plan with changes says who wrote the state last, where that was outside of CI', async () => {
    const { place, ...workspace } = await open();
    const by = { who: 'ana', host: 'laptop', pid: 42, command: 'apply', since: '2026-11-21T09:00:00.000Z' };
    const said = async (format: string) => (await workspace.run('plan', '--format', format)).stdout;
    const words = /last\s+written\s+by\s+`?ana`?\s+outside\s+of\s+CI/;
    place.writer = by;
    for (const format of ['text', 'markdown']) expect(await said(format)).toMatch(words);
    const { state } = expectDocument('plan', await said('json')) as PlanDocument;
    expect(state).toMatchObject({ place: branch, writtenBy: 'ana' });
    place.writer = { ...by, runUrl: 'https://ci.example/1' };
    for (const format of ['text', 'markdown']) expect(await said(format)).not.toMatch(words);
    place.writer = by;
    await workspace.apply();
    for (const format of ['text', 'markdown']) expect(await said(format)).not.toMatch(words);
  });

  it('every store that a command opened is closed, also when the command fails', async () => {
    const { place, ...workspace } = await open();
    await workspace.run('plan');
    await workspace.run('apply', '--auto-approve');
    expect(place.counts).toMatchObject({ opened: 2, closed: 2 });
    place.failure = new Failure('state-unreadable', 'The branch cannot be read.');
    expect((await workspace.run('plan')).code).toBe(1);
    expect((await workspace.run('state', 'list')).code).toBe(1);
    expect(place.counts).toMatchObject({ opened: 4, closed: 4 });
  });

  it('validate needs no store', async () => {
    const { place, ...workspace } = await open();
    const { stdout } = await workspace.run('validate', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ valid: true });
    expect(place.counts.opened).toBe(0);
  });

  it('a plan names the shared place in every report, and a local one in none', async () => {
    const shared = await open();
    const local = await open({ 'almanac.yaml': git.replace('git', 'local') });
    expect((await shared.plan()).state).toMatchObject({ place: branch });
    expect((await local.plan()).state).not.toHaveProperty('place');
    for (const format of ['text', 'markdown', 'html']) {
      const [inShared, inLocal] = [
        await shared.run('plan', '--format', format),
        await local.run('plan', '--format', format),
      ];
      expect(inShared.stdout.replace(/\s+/g, ' ')).toMatch(/state in (?:`|<code>)?git branch almanac-state of origin/);
      expect(inLocal.stdout).not.toContain('state in');
    }
    await shared.apply();
    expect((await shared.run('plan')).stdout).toEqual(says(`state in ${branch}.`));
  });

  it('the digest of a plan is the same wherever its state is', async () => {
    const shared = await open();
    const local = await open({ 'almanac.yaml': git.replace('git', 'local') });
    local.environment['OMNI_BASE_URL'] = shared.environment['OMNI_BASE_URL'] ?? '';
    expect((await shared.plan()).digest).toBe((await local.plan()).digest);
  });

  it('a declaration cannot read a state that was left in a file into a text that is sent', async () => {
    const { run } = await open({
      'schedules/all.yaml': { schedules: { weekly: { ...weekly, textBody: '${file.../almanac.state.json}' } } },
      'almanac.state.json': '{}',
    });
    expect((await run('validate')).stdout).toContain('reference-private');
  });
});

describe('--state beside a shared place', () => {
  it.each([
    'apply --auto-approve',
    'import --write-state',
    'state mv schedules.old schedules.new',
    'state rm schedules.old',
    'state resolve schedules.old --retry',
    'state push later.json',
    'state unlock --auto-approve',
    'state orphans --clear x',
  ])('%s refuses a file in place of it, and changes nothing', async (command) => {
    const workspace = await open();
    const text = renderState(workspace.stateWith());
    workspace.write({ 'copy.json': text, 'later.json': renderState(workspace.stateWith({ serial: 9 })) });
    await expectRefused(
      workspace,
      `${command} --state copy.json`,
      `The state is in ${branch}, so --state cannot name a file to change.`,
    );
    expect(workspace.read('copy.json')).toBe(text);
    expect(workspace.exists('copy.json.lock')).toBe(false);
  });

  it('commands that only read accept the file also where they could write', async () => {
    const workspace = await open();
    workspace.write({ 'copy.json': renderState(workspace.stateWith()) });
    expect(await workspace.run('state', 'orphans', '--state', 'copy.json')).toMatchObject({ code: 0 });
  });
});

describe('ALMANAC_STATE_PLACE', () => {
  it('another place than the pinned one is refused before anything is opened, and both are named', async () => {
    const { place, ...workspace } = await open();
    workspace.environment['ALMANAC_STATE_PLACE'] = 'git branch other of origin';
    workspace.write({ 'copy.json': renderState(workspace.stateWith()) });
    for (const command of ['plan', 'apply --auto-approve', 'state rm schedules.old', 'state list --state copy.json']) {
      await expectRefused(workspace, command, branch, 'git branch other of origin');
    }
    expect(place.counts.opened).toBe(0);
    expect((await workspace.run('validate')).stdout).toContain('state-place-conflict');
    const { configuration, state } = await workspace.doctor();
    expect(configuration).toMatchObject({ status: 'failed', message: expect.stringContaining('ALMANAC_STATE_PLACE') });
    expect(state).toMatchObject({ status: 'skipped' });
    expect(place.counts.opened).toBe(0);
  });

  it('a pinned state file cannot be replaced by another one with --state, except for reading', async () => {
    const workspace = await open({ 'almanac.yaml': '{}' });
    workspace.environment['ALMANAC_STATE_PLACE'] = 'almanac.state.json';
    workspace.write({ 'other.json': renderState(workspace.stateWith()) });
    await expectRefused(workspace, 'state rm schedules.old --state other.json', '--state names other.json');
    expect((await workspace.run('state', 'list', '--state', 'other.json')).stdout).toContain('schedules.old');
  });
});

describe('an empty shared place', () => {
  const refused = ['plan', 'apply --auto-approve', 'import --write-state', 'drift'];

  it.each(refused)(
    '%s refuses beside a state file with resources, and names the command that moves it',
    async (command) => {
      const { place, ...workspace } = await open();
      workspace.write({ 'almanac.state.json': renderState(workspace.stateWith()) });
      await expectRefused(
        workspace,
        command,
        `${branch} holds no state yet, and almanac.state.json holds one with 1 resource.`,
        '`almanac state migrate`',
      );
      expect(place.store.log).toEqual([]);
    },
  );

  it('a state file of another name that was applied and committed is found where almanac.yaml then names a branch', async () => {
    const workspace = await open({ 'almanac.yaml': git.replace('backend: git', 'path: state/prod.json') });
    await workspace.apply();
    workspace.inGit('init', '-q');
    workspace.inGit('add', 'state/prod.json');
    workspace.write({ 'almanac.yaml': git });
    workspace.sent();
    for (const command of ['plan', 'apply --auto-approve'])
      await expectRefused(workspace, command, '`almanac state migrate --state state/prod.json`');
    expect([workspace.sent(), workspace.place.store.log]).toEqual([[], []]);
    expect(await workspace.run('state migrate --state state/prod.json --auto-approve')).toMatchObject({ code: 0 });
    expect((await workspace.plan()).changes).toEqual([]);
  });

  it.each([
    ['was killed during its first request', 1],
    ['made something and died', 2],
  ])('the journal of a first apply that %s is not forgotten in a place without a state', async (_, length) => {
    const { place, ...workspace } = await open();
    workspace.write({
      'almanac.state.json.journal': firstJournal(workspace)
        .slice(0, length + 1)
        .join(''),
    });
    for (const command of ['plan', 'apply --auto-approve'])
      await expectRefused(
        workspace,
        command,
        `${branch} holds no state yet, and almanac.state.json holds the journal of an apply that broke off.`,
        '`almanac state migrate`',
      );
    expect(place.store.stored.state).toBeUndefined();
  });

  it('a file that almanac.yaml named in an earlier commit is found, whether the new almanac.yaml is committed or not', async () => {
    const workspace = await open({ 'almanac.yaml': git.replace('backend: git', 'path: prod.json') });
    await workspace.apply();
    workspace.write({ '.gitignore': 'prod.json' });
    workspace.inGit('init', '-q');
    const commit = (message: string) => {
      workspace.inGit('add', '.');
      workspace.inGit('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', message);
    };
    commit('Begin');
    workspace.write({ 'almanac.yaml': git });
    const refusal = `${branch} holds no state yet, and prod.json, where almanac.yaml kept the state`;
    const expectFound = () => expectRefused(workspace, 'plan', refusal, '`almanac state migrate --state prod.json`');
    await expectFound();
    commit('Keep the state in a branch');
    await expectFound();
    workspace.write({ 'README.md': '# Reports' });
    commit('Say what it is');
    await expectFound();
  });

  it('what goes through the sinks of an environment holds up no other one', async () => {
    const api = { operations: 'full', rateLimit: 0 };
    const staging = { state: { backend: 'local', path: 'staging.json' }, deliver: { email: ['qa@example.com'] } };
    const almanac = { api, state: { backend: 'git' }, environments: { staging, production: {} } };
    const workspace = await open({ 'almanac.yaml': almanac });
    await workspace.apply('--env', 'staging');
    expect(await workspace.run('plan', '--env', 'production')).toMatchObject({ code: 0 });
    // The other way round.
    const other = {
      staging: { deliver: staging.deliver },
      production: { state: { backend: 'local', path: 'p.json' } },
    };
    workspace.write({ 'almanac.yaml': { ...almanac, environments: other } });
    workspace.write({ 'p.json': renderState(workspace.stateWith()) });
    expect(await workspace.run('plan', '--env', 'staging')).toMatchObject({ code: 0 });
  });

  it('a state file that nothing uses is refused beside an empty one of another name, too', async () => {
    const workspace = await open({ 'almanac.yaml': git.replace('backend: git', 'path: state/prod.json') });
    workspace.write({ 'almanac.state.json': renderState(workspace.stateWith()) });
    const refusal = 'state/prod.json holds no state yet, and almanac.state.json holds one with 1 resource.';
    await expectRefused(workspace, 'plan', refusal, 'Move almanac.state.json and its journal to state/prod.json');
  });

  it('the state and the journal of a workspace below this one are its own', async () => {
    const workspace = await open();
    const files = {
      'almanac.state.json': renderState(workspace.stateWith()),
      'state/prod.json': renderState(workspace.stateWith()),
    };
    for (const folder of ['teams/a', 'teams/b'])
      for (const [name, text] of Object.entries(files)) workspace.write({ [`${folder}/${name}`]: text });
    workspace.write({ 'teams/a/almanac.yaml': {}, 'teams/b/almanac.yml': {} });
    workspace.write({ 'teams/a/almanac.state.json.journal': firstJournal(workspace).join('') });
    workspace.inGit('init', '-q');
    workspace.inGit('add', 'teams/*.json', 'teams/*.yaml');
    const before = workspace.read('teams/a/almanac.state.json.journal');
    expect(await workspace.run('plan')).toMatchObject({ code: 0 });
    await workspace.apply();
    expect(workspace.read('teams/a/almanac.state.json.journal')).toBe(before);
  });

  it('where git cannot be asked, nothing begins in an empty place', async () => {
    const workspace = await open();
    workspace.inGit('init', '-q');
    vi.stubEnv('PATH', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    await expectRefused(workspace, 'apply --auto-approve', 'there is no git on this machine');
    expect(workspace.place.store.log).toEqual([]);
  });

  it('a state file that cannot be read is an error and not nothing', async () => {
    const workspace = await open({ 'almanac.state.json': '{ "version": 2,' });
    expect((await workspace.run('plan')).stderr).toContain('almanac.state.json cannot be read');
  });

  it('nothing is refused beside an empty state, a state of another organization, or a full place', async () => {
    const { place, ...workspace } = await open();
    const full = workspace.stateWith();
    const beside = async (content: unknown) => {
      workspace.write({ 'almanac.state.json': content });
      return (await workspace.run('plan')).code;
    };
    expect(await beside(renderState(stateOf({}, { baseUrl: full.baseUrl })))).toBe(0);
    expect(await beside(renderState({ ...full, baseUrl: 'https://other.example.com/api' }))).toBe(0);
    expect(await beside(renderState(full))).toBe(1);
    place.store.stored = { state: full, journal: undefined };
    expect(await beside(renderState(full))).toBe(0);
  });

  it('state migrate has git ignore what is left of the file, and prints the commit to make', async () => {
    const { place, ...workspace } = await open();
    const state = workspace.stateWith();
    workspace.write({ 'almanac.state.json': renderState(state), '.gitignore': 'node_modules/' });
    workspace.inGit('init', '-q');
    workspace.inGit('add', '.');
    const { code, stderr } = await workspace.run('state', 'migrate', '--auto-approve');
    expect(code).toBe(0);
    expect(stderr).toBe(
      [
        'Commit the new place and the removal of the file together:',
        '  git rm --quiet --cached almanac.state.json',
        '  git add almanac.yaml .gitignore',
        `  git commit -m "Keep the state in ${branch}"`,
        'almanac.state.json.moved is the old state. While it is there, an almanac.yaml from before the move is refused here.',
        '',
      ].join('\n'),
    );
    expect(workspace.read('.gitignore')).toBe('node_modules/\nalmanac.state.json.moved\n');
    workspace.inGit('rm', '--quiet', '--cached', 'almanac.state.json');
    workspace.inGit('add', '-A');
    expect(String(workspace.inGit('ls-files'))).not.toMatch(/state\.json/);
    expect(place.store.stored.state).toEqual(state);
  });

  it('a saved plan of a state that is gone is refused', async () => {
    const { place, ...workspace } = await open();
    await workspace.apply();
    workspace.write({ 'schedules/all.yaml': { schedules: { weekly: { ...weekly, subject: 'Other' } } } });
    expect(await workspace.run('plan', '--out', 'saved.plan.json')).toMatchObject({ code: 0 });
    place.store.stored = { state: undefined, journal: undefined };
    await expectRefused(
      workspace,
      'apply saved.plan.json --auto-approve',
      'it was made from a different state than this run reads.',
    );
    expect(place.store.stored.state).toBeUndefined();
  });
});

describe('a state that another run is changing', () => {
  it('state list and state show name the run under way, and say that a run broke off only where one did', async () => {
    const { place, ...workspace } = await open();
    const state = workspace.stateWith();
    place.store.stored = { state, journal: createdAndDied(state) };
    const holder = { who: 'bo', host: 'ci-7', pid: 1, command: 'apply', since: 'noon', runUrl: 'https://ci.example/7' };
    const said = async (...argv: readonly string[]) => {
      const { code, stdout, stderr } = await workspace.run('state', ...argv);
      expect(code).toBe(0);
      expect(stdout).toContain(madeId);
      return stderr.replace(/\s+/g, ' ');
    };
    place.held = { holder, isDead: false, expiresIn: 79.2 };
    for (const argv of [['list'], ['show', 'schedules.made'], ['pull']]) {
      const words = await said(...argv);
      expect(words).toContain(`Another run is changing ${branch}: apply of bo on ci-7, since noon.`);
      expect(words).toContain('taken over in 80 s. Its run: https://ci.example/7');
      expect(words).not.toContain('broke off.');
    }
    for (const held of [{ holder, isDead: true, expiresIn: 0 }, undefined]) {
      place.held = held;
      expect(await said('list')).toContain('2 entries of a run that broke off.');
    }
  });
});

describe('doctor', () => {
  it('doctor shows the shared place, its lease and nothing to do, and writes nothing', async () => {
    const { place, doctor, ...workspace } = await open();
    expect(await doctor()).toMatchObject({
      state: { status: 'ok', message: `There is no state yet; the first apply writes it to ${branch}.` },
      lock: { status: 'ok', message: 'Free. A run that dies holds it for 120 s.' },
    });
    expect(place.store.log).toEqual([]);
    await workspace.apply();
    const { state } = await doctor();
    expect(state?.message).toContain(`${branch}: serial 1, 1 resource`);
    place.held = { isDead: false, expiresIn: 83.2 };
    expect((await doctor())['lock']).toMatchObject({ hint: expect.stringContaining('in 84 s at the latest') });
    expect(place.counts.opened).toBe(place.counts.closed);
  });

  it('doctor warns of a state file that git tracks although nothing uses it', async () => {
    const { place, doctor, stateWith, ...workspace } = await open();
    place.store.stored = { state: stateWith(), journal: undefined };
    workspace.write({ 'almanac.state.json': renderState(stateWith()) });
    workspace.inGit('init', '-q');
    expect((await doctor())['git']).toMatchObject({ status: 'ok' });
    workspace.inGit('add', 'almanac.state.json');
    expect((await doctor())['git']).toMatchObject({
      status: 'warning',
      message: expect.stringContaining(`git tracks almanac.state.json, and the state is in ${branch}`),
    });
    workspace.write({ 'almanac.state.json': { version: 1, movedTo: branch, lineage: 'l', serial: 7 } });
    expect((await doctor())['git']).toMatchObject({ status: 'ok' });
  });

  it('doctor fails where the branch of the state is the one that is checked out', async () => {
    const { doctor, ...workspace } = await open({ 'almanac.yaml': 'state: { backend: git, branch: trunk }' });
    workspace.inGit('init', '-q', '-b', 'trunk');
    expect((await doctor())['git']).toMatchObject({ status: 'failed' });
  });

  it('doctor goes on where the place cannot be opened or read', async () => {
    const { place, doctor } = await open();
    place.failure = new Failure('state-unreadable', 'No credentials were found.', { hint: 'Set them.' });
    expect(await doctor()).toMatchObject({
      rights: { status: 'ok' },
      state: { status: 'failed', message: 'No credentials were found.', hint: 'Set them.' },
      lock: { status: 'skipped' },
    });
    const missing = new Failure('state-backend-missing', 'The package pg is not installed.', {
      hint: 'npm i pg',
    });
    const unopened = await open({}, { openSharedState: () => Promise.reject(missing) });
    expect(await unopened.doctor()).toMatchObject({
      rights: { status: 'ok' },
      state: { status: 'failed', hint: 'npm i pg' },
      lock: { status: 'skipped' },
    });
  });
});

describe('a plan without credentials', () => {
  it('a plan says that it can read a copy of the state', async () => {
    const { place, ...workspace } = await open();
    place.failure = new Failure('state-unreadable', 'No credentials were found.', { hint: 'Set AWS_ACCESS_KEY_ID.' });
    await expectRefused(
      workspace,
      'plan',
      'No credentials were found.',
      'Set AWS_ACCESS_KEY_ID.',
      '`almanac plan --state FILE`',
    );
  });
});

describe('state-not-kept', () => {
  const local = { 'almanac.yaml': 'api: { operations: full, rateLimit: 0 }\n' };
  const applied = async (workspace: Awaited<ReturnType<typeof open>>, ...argv: readonly string[]) =>
    (await workspace.run('apply', '--auto-approve', ...argv)).stderr;

  it('an apply in CI warns where git does not track the state file', async () => {
    const workspace = await open(local);
    workspace.environment['CI'] = 'true';
    expect(await applied(workspace)).not.toContain('state-not-kept');
    workspace.inGit('init', '-q');
    expect(await applied(workspace)).toContain('state-not-kept');
    expect(await applied(workspace, '--format', 'json')).toContain('state-not-kept');
    expect(await applied(workspace, '--quiet')).not.toContain('state-not-kept');
    workspace.environment['CI'] = 'false';
    expect(await applied(workspace)).not.toContain('state-not-kept');
    workspace.environment['CI'] = 'true';
    workspace.inGit('add', 'almanac.state.json');
    expect(await applied(workspace)).not.toContain('state-not-kept');
  });

  it('an apply in CI does not warn where the state is in a shared place', async () => {
    const workspace = await open();
    workspace.environment['CI'] = 'true';
    workspace.inGit('init', '-q');
    expect(await applied(workspace)).not.toContain('state-not-kept');
  });
});
