// The commands about the place of the state, on places in memory and real files: what they ask, print, refuse and leave.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { currentState } from '../../src/engine/state/current-state.ts';
import type { State } from '../../src/model/plan/state.ts';
import type { StateCheckDocument, StateHistoryDocument } from '../../src/model/plan/state-documents.ts';
import { placeName, type SharedPlace } from '../../src/model/workspace/state-place.ts';
import { renderState } from '../../src/render/state/render-state.ts';
import { ana, createdAndDied, type MemoryPlace, makeMemoryPlace } from '../support/engine/memory-place.ts';
import { schedule, stateOf } from '../support/plan/planning.ts';
import { expectDocument } from '../support/schemas.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const state = stateOf({ 'schedules.weekly': schedule() });
const gitPlace = 'git branch almanac-state of origin';
const s3Place = 's3://acme-state/almanac';
const inGit = { state: { backend: 'git' } };

/** A workspace whose almanac.yaml is `almanac`; each shared place has what the test puts into it. */
async function open(
  almanac: unknown,
  options: {
    readonly local?: State | undefined;
    readonly shared?: Readonly<Record<string, State>>;
    readonly answer?: string;
  } = {},
) {
  const { local, shared = {}, answer } = options;
  const folder = makeFolder({
    'almanac.yaml': almanac,
    'schedules/all.yaml': {},
    ...(local === undefined ? {} : { 'almanac.state.json': renderState(local) }),
  });
  const places = new Map<string, MemoryPlace>();
  const placeNamed = (name: string): MemoryPlace => {
    const place = places.get(name) ?? makeMemoryPlace(name, folder.path);
    places.set(name, place);
    return place;
  };
  for (const [name, state] of Object.entries(shared)) await placeNamed(name).write(state);
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answer;
  };
  const openSharedState = async ({ place }: { readonly place: SharedPlace }) => placeNamed(placeName(place)).open();
  const workspace = workspaceIn(folder, {}, { openSharedState, asker: () => (answer === undefined ? undefined : ask) });
  return { ...workspace, placeNamed, asked };
}

/** Without the breaks of its lines. */
const flat = (text: string) => text.replace(/\s+/g, ' ');
const json = (text: string) => JSON.parse(text) as unknown;
const holderOf = async (place: MemoryPlace) => (await place.open().lockHolder())?.holder;

describe('state migrate', () => {
  it('state migrate moves the file to the place that almanac.yaml names, and leaves a note that refuses every use', async () => {
    const { run, read, placeNamed } = await open(inGit, { local: state });
    const moved = await run('state', 'migrate', '--auto-approve');
    expect(moved).toEqual({
      code: 0,
      stdout: `The state was moved from almanac.state.json to ${gitPlace} (serial 7, 1 resource).\n`,
      stderr:
        'Commit almanac.state.json together with almanac.yaml: it now says where the state is, so that nobody uses an old one.\n',
    });
    expect(json(read('almanac.state.json'))).toEqual({
      version: 2,
      movedTo: gitPlace,
      lineage: state.lineage,
      serial: 7,
    });
    expect(placeNamed(gitPlace).text()).toBe(renderState(state));
    expect(await holderOf(placeNamed(gitPlace))).toBeUndefined();
    expect((await run('state', 'list')).stdout).toContain('schedules.weekly');
    const old = await run('state', 'list', '--state', 'almanac.state.json');
    expect(old).toMatchObject({ code: 1, stdout: '' });
    expect(old.stderr).toContain('error[state-moved]');
    expect(old.stderr).toContain('moved to git branch almanac-state of origin');
    expect(await run('state', 'migrate', '--auto-approve')).toMatchObject({
      code: 0,
      stdout: `The state was moved before from almanac.state.json to ${gitPlace} (serial 7, 1 resource).\n`,
    });
  });

  it('state migrate asks first, and changes nothing unless the answer is yes', async () => {
    const refused = await open(inGit, { local: state, answer: 'y' });
    expect((await refused.run('state', 'migrate')).code).toBe(1);
    expect(refused.asked).toEqual([
      expect.stringMatching(
        /^Move the state \(serial 7, 1 resource\) from almanac\.state\.json to git branch almanac-state of origin\? /,
      ),
    ]);
    expect(refused.state()).toEqual(state);
    expect(refused.placeNamed(gitPlace).log).toMatchObject({ entries: [], probes: 0 });

    const accepted = await open(inGit, { local: state, answer: 'yes' });
    expect((await accepted.run('state', 'migrate')).code).toBe(0);

    const alone = await open(inGit, { local: state });
    const { code, stderr } = await alone.run('state', 'migrate');
    expect(code).toBe(1);
    expect(stderr).toContain('--auto-approve');
    expect(alone.state()).toEqual(state);
  });

  it('state migrate moves back to the file, and from one shared place to another', async () => {
    const back = await open({}, { shared: { [gitPlace]: state } });
    expect(await back.run('state', 'migrate', '--from', 'git:almanac-state', '--auto-approve')).toMatchObject({
      code: 0,
      stderr: 'Commit almanac.state.json together with almanac.yaml: the file is the state from now on.\n',
    });
    expect(back.state()).toEqual(state);
    expect(back.placeNamed(gitPlace).text()).toContain('"movedTo": "almanac.state.json"');

    const across = await open(inGit, { shared: { [`${s3Place} at https://s3.example.com`]: state } });
    const from = 's3://acme-state/almanac?endpoint=https://s3.example.com&pathStyle=true';
    expect((await across.run('state', 'migrate', '--from', from, '--auto-approve')).code).toBe(0);
    expect(across.placeNamed(gitPlace).text()).toBe(renderState(state));
    expect((await across.run('state', 'pull')).stdout).toBe(renderState(state));
  });

  it.each([
    ['a place that has another state', { shared: { [gitPlace]: { ...state, lineage: 'other' } } }, 'another state'],
    ['a place whose state is a later one', { shared: { [gitPlace]: { ...state, serial: 9 } } }, 'serial 9'],
    ['a file that does not exist', { local: undefined }, 'There is no state to move'],
  ])('state migrate refuses %s and changes nothing', async (_, options, words) => {
    const { run, placeNamed, path } = await open(inGit, { local: state, ...options });
    const before = placeNamed(gitPlace).text();
    const { code, stderr } = await run('state', 'migrate', '--auto-approve');
    expect(code).toBe(1);
    expect(flat(stderr)).toContain(words);
    expect(placeNamed(gitPlace).text()).toBe(before);
    expect(await holderOf(placeNamed(gitPlace))).toBeUndefined();
    expect(existsSync(join(path, 'almanac.state.json.lock'))).toBe(false);
  });

  it('state migrate leaves the state where it is if the new place is unfit', async () => {
    const stage = await open(inGit, { local: state });
    stage.placeNamed(gitPlace).log.unfit = true;
    const { code, stderr } = await stage.run('state', 'migrate', '--auto-approve');
    expect(code).toBe(1);
    expect(stderr).toContain('error[state-backend-unfit]');
    expect(stage.state()).toEqual(state);
    expect(stage.placeNamed(gitPlace).text()).toBeUndefined();
  });

  it('state migrate refuses while another run holds either lock', async () => {
    const stage = await open(inGit, { local: state });
    await stage.placeNamed(gitPlace).open().lock('apply');
    const { code, stderr } = await stage.run('state', 'migrate', '--auto-approve');
    expect(code).toBe(1);
    expect(stderr).toContain('error[state-locked]');
    expect(stage.state()).toEqual(state);
    expect(existsSync(join(stage.path, 'almanac.state.json.lock'))).toBe(false);
  });

  it.each([
    ['ftp://somewhere', 'is not a place of a state'],
    ['git:-delete@origin', 'branch'],
    ['git:almanac-state@ext::sh', '::'],
    ['git:almanac-state@https://bo:hunter2@example.com/x.git', 'password'],
    ['s3://b/almanac', 'bucket'],
    ['postgres:a b', 'name'],
    ['git:almanac-state', 'to itself'],
    ['local:../other.json', ''],
  ])('state migrate refuses --from %s and never repeats a password', async (from, words) => {
    const { run } = await open(inGit, { local: state });
    const { code, stderr } = await run('state', 'migrate', '--from', from, '--auto-approve');
    expect(code).not.toBe(0);
    expect(flat(stderr)).toContain(words);
    expect(stderr).not.toContain('hunter2');
  });

  it('state migrate needs --from where almanac.yaml names a file, and takes no --state', async () => {
    const local = await open({}, { local: state });
    expect(await local.run('state', 'migrate', '--auto-approve')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('add --from'),
    });
    const other = await open(inGit, { local: state });
    const { stderr } = await other.run('state', 'migrate', '--state', 'x.json', '--auto-approve');
    expect(stderr).toContain('error[usage]: --state names a file for one command');
    expect(other.state()).toEqual(state);
  });
});

describe('state history and earlier states', () => {
  it('state history lists who wrote which state, the newest first, in 80 columns and as JSON', async () => {
    const { run, placeNamed } = await open(inGit, { shared: { [gitPlace]: state } });
    const place = placeNamed(gitPlace);
    await place.write({ ...state, serial: 8 }, createdAndDied({ ...state, serial: 8 }));
    const inCi = {
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/reports',
      GITHUB_RUN_ID: '1234567890',
      GITHUB_ACTOR: 'bo',
    };
    const taken = await place.open(undefined, inCi).lock('apply');
    await taken.commit(currentState(await taken.read(), gitPlace), { release: true });

    const text = await run('state', 'history');
    expect(text).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        'serial 9  2026-03-01T00:00:00.000Z, 1 resource changed',
        '          by bo on runner-7 (process 42, apply)',
        '          https://github.com/acme/reports/actions/runs/1234567890',
        '          took over the lock of ana on runner-7 (process 42, apply)',
        'serial 8  2026-03-01T00:00:00.000Z, no resource changed',
        '          by ana on runner-7 (process 42, apply)',
        'serial 7  2026-03-01T00:00:00.000Z, no resource changed',
        '          by ana on runner-7 (process 42, apply)',
        '',
      ].join('\n'),
    });
    const all = await run('state', 'history', '--format', 'json');
    const document = expectDocument<StateHistoryDocument & Record<string, unknown>>('state-history', all.stdout);
    expect(document).toMatchObject({ state: gitPlace, more: false });
    expect(document.versions.map(({ serial, changes }) => [serial, changes])).toEqual([
      [9, 1],
      [8, 0],
      [7, 0],
    ]);
    const first = await run('state', 'history', '--limit', '1');
    expect(first.stdout).toContain('--limit N shows more');
    expect(first.stdout).not.toContain('serial 8');
  });

  it('state history says where the state went, and the earlier states can still be read there', async () => {
    const { run, write } = await open({}, { shared: { [gitPlace]: state } });
    await run('state', 'migrate', '--from', 'git:almanac-state', '--auto-approve');
    write({ 'almanac.yaml': inGit });
    expect((await run('state', 'history')).stdout).toContain('moved to almanac.state.json');
    expect((await run('state', 'pull', '--serial', '7')).stdout).toBe(renderState(state));
    expect((await run('state', 'pull')).stderr).toContain('error[state-moved]');
  });

  it('an earlier state is put back as a new one, and nothing is overwritten', async () => {
    const { run, write } = await open(inGit, { shared: { [gitPlace]: state } });
    await run('state', 'rm', 'schedules.weekly');
    expect((await run('state', 'list')).stdout).toBe('');
    const pulled = await run('state', 'pull', '--serial', '7');
    write({ 'earlier.json': pulled.stdout });
    const low = await run('state', 'push', 'earlier.json');
    expect(low.code).toBe(1);
    expect(flat(low.stderr)).toContain('write `"serial": 9` into it');
    const forced = await run('state', 'push', 'earlier.json', '--force');
    expect(forced.code).toBe(1);
    expect(flat(forced.stderr)).toContain('is never replaced');
    write({ 'earlier.json': pulled.stdout.replace('"serial": 7', '"serial": 9') });
    expect(await run('state', 'push', 'earlier.json')).toMatchObject({
      code: 0,
      stdout: `${gitPlace} is now earlier.json, serial 9.\n`,
    });
    expect((await run('state', 'list')).stdout).toContain('schedules.weekly');
    const history = await run('state', 'history');
    expect(history.stdout.match(/serial \d/g)).toEqual(['serial 9', 'serial 8', 'serial 7']);
  });

  it('state push refuses the state of another lineage and a file that was moved', async () => {
    const { run, write } = await open(inGit, { shared: { [gitPlace]: state } });
    write({
      'other.json': renderState({ ...state, lineage: 'other', serial: 90 }),
      'note.json': { version: 2, movedTo: 'elsewhere', lineage: state.lineage, serial: 90 },
    });
    expect((await run('state', 'push', 'other.json')).stderr).toContain('its lineage is other');
    expect((await run('state', 'push', 'note.json')).stderr).toContain('error[state-moved]');
  });

  it('a file keeps no earlier states, and the refusal names git', async () => {
    const { run } = await open({}, { local: state });
    for (const argv of [['history'], ['pull', '--serial', '7']]) {
      const { code, stderr } = await run('state', ...argv);
      expect(code).toBe(1);
      expect(flat(stderr)).toContain('`git log -p -- almanac.state.json`');
    }
  });
});

describe('state check and state init', () => {
  it('state check says that a place is fit and what is there, in words and as JSON', async () => {
    const { run, placeNamed } = await open(inGit, { shared: { [gitPlace]: state } });
    expect(await run('state', 'check')).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        `${gitPlace} is fit: it can be read and written, and of`,
        'several writers one wins.',
        '  state: serial 7, 1 resource, lineage a-lineage',
        '  lock:  free',
        '',
      ].join('\n'),
    });
    await placeNamed(gitPlace).open().lock('apply');
    const { length } = placeNamed(gitPlace).log.entries;
    const { stdout } = await run('state', 'check', '--format', 'json');
    expect(expectDocument<StateCheckDocument & Record<string, unknown>>('state-check', stdout)).toEqual({
      formatVersion: 1,
      state: gitPlace,
      shared: true,
      held: { lineage: 'a-lineage', serial: 7, resources: 1 },
      lock: { held: true, by: ana, expiresIn: 120 },
    });
    expect(placeNamed(gitPlace).log.entries).toHaveLength(length);
    expect(flat((await run('state', 'check')).stdout)).toContain('free in 2 minutes');
  });

  it('state check fails on an unfit place, and works for a file and after a move', async () => {
    const unfit = await open(inGit);
    unfit.placeNamed(gitPlace).log.unfit = true;
    expect(await unfit.run('state', 'check')).toMatchObject({ code: 1, stdout: '' });
    const local = await open({}, { local: state });
    expect((await local.run('state', 'check')).stdout).toContain('almanac.state.json is a file');
    const moved = await open(inGit, { local: state });
    await moved.run('state', 'migrate', '--auto-approve');
    moved.write({ 'almanac.yaml': {} });
    const { code, stdout } = await moved.run('state', 'check', '--format', 'json');
    expect(code).toBe(0);
    expect(expectDocument('state-check', stdout)).toMatchObject({ held: null, movedTo: gitPlace });
  });

  it('state init prepares a shared place without a state, and says that a file needs nothing', async () => {
    const { run, placeNamed } = await open(inGit);
    expect(await run('state', 'init')).toEqual({
      code: 0,
      stdout: `${gitPlace} is ready.\n`,
      stderr:
        'It has no state yet. If there is one elsewhere, almanac state migrate moves it; otherwise the first almanac apply creates it.\n',
    });
    expect(placeNamed(gitPlace).log).toMatchObject({ entries: [], probes: 1 });
    const local = await open({}, { local: state });
    expect((await local.run('state', 'init')).stdout).toBe(
      'almanac.state.json is a file: there is nothing to prepare.\n',
    );
  });

  it('state init --print-sql prints the table without connecting, and is refused for another backend', async () => {
    const postgres = await open({ state: { backend: 'postgres' } });
    const { code, stdout } = await postgres.run('state', 'init', '--print-sql');
    expect(code).toBe(0);
    expect(stdout).toContain('create table if not exists "almanac_log"');
    expect(flat((await (await open(inGit)).run('state', 'init', '--print-sql')).stderr)).toContain(
      'the backend is git',
    );
  });
});

describe('state unlock of a shared place', () => {
  it('state unlock names the lease and the run in its question, and ends the lock', async () => {
    const stage = await open(inGit, { shared: { [gitPlace]: state }, answer: 'yes' });
    const inCi = { CI_JOB_URL: 'https://ci.example.com/runs/7' };
    const locked = await stage.placeNamed(gitPlace).open(undefined, inCi).lock('apply');
    const { code, stdout } = await stage.run('state', 'unlock');
    expect(code).toBe(0);
    expect(stage.asked[0]).toContain('its lease is over in 2 minutes');
    expect(stage.asked[0]).toContain('run https://ci.example.com/runs/7');
    expect(stdout).toContain('is broken.');
    expect(await holderOf(stage.placeNamed(gitPlace))).toBeUndefined();
    await expect(locked.commit({ ...state, serial: 8 })).rejects.toMatchObject({ code: 'state-lock-lost' });
  });
});
