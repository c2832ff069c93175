// "Reviewed is applied" in ordinary weeks: what a team merges, in which order, and what then happens in Omni. With real git,
// a fake of GitHub's API and the emulator. The program runs in the process of the test; scaffolds-run.test.ts and
// real-program.test.ts start the built one.

import { describe, expect, test } from 'vitest';
import { fileOf, openTeam, type Team } from '../support/action/team.ts';

/** A team with one applied schedule. */
async function settled(): Promise<Team> {
  const team = await openTeam();
  await team.settle(fileOf('first'));
  return team;
}

const refused = (summary: string) =>
  expect(summary).toContain('## Almanac apply: refused, because not every change was reviewed');

describe('what applies without a person', () => {
  test('two quick merges of different resources are applied together, and the second run has nothing to do', async () => {
    const team = await settled();
    const [a, b] = [await team.propose(fileOf('a')), await team.propose(fileOf('b'))];
    team.merge(a);
    team.merge(b);
    const first = await team.apply();
    expect(first.code, first.log).toBe(0);
    expect(team.schedules()).toEqual(['a', 'b', 'first']);
    const second = await team.apply();
    expect(second).toMatchObject({ code: 0, ran: ['prepare', 'run'] });
    expect(second.summary).toContain('nothing to do');
  });

  test('a failed apply does not hold up the next merge, which applies what was left open', async () => {
    const team = await settled();
    const hide = (deleted: boolean) =>
      team.emulator.edit(({ documents }) => {
        for (const document of documents) if (document.identifier === '3f9c2b71') document.deleted = deleted;
      });
    hide(true);
    const a = await team.propose({ ...fileOf('a'), ...fileOf('broken', { identifier: '3f9c2b71' }) });
    team.merge(a);
    const failed = await team.apply();
    expect(failed.code).toBe(1);
    expect(failed.summary).toContain('1 applied, 1 failed');
    hide(false);
    const b = await team.propose(fileOf('b'));
    team.merge(b);
    const next = await team.apply();
    expect(next.code, next.log).toBe(0);
    expect(team.schedules()).toEqual(['a', 'b', 'broken', 'first']);
  });

  test('a rotated secret is applied without a review, and its variable is named', async () => {
    const team = await openTeam();
    team.secrets['HOOK_KEY'] = 'the-first-key-of-the-hook';
    const url = 'https://hooks.example.com/${env.HOOK_KEY}';
    const hook = { destinationType: 'webhook', url, recipients: undefined, subject: undefined, format: 'json' };
    team.merge(await team.propose(fileOf('hook', hook)));
    expect((await team.apply()).code).toBe(0);
    team.secrets['HOOK_KEY'] = 'the-second-key-of-the-hook';
    const sent = team.sent();
    const rotated = await team.apply();
    expect(rotated.code, rotated.log).toBe(0);
    expect(rotated.log).toContain('HOOK_KEY');
    expect(team.sent()).toBe(sent + 1);
  });
});

describe('what is refused before anything is sent', () => {
  async function refuses(team: Team, inputs: Readonly<Record<string, string>> = {}): Promise<string> {
    const [sent, log] = [team.sent(), team.repository.log()];
    const apply = await team.apply(inputs);
    expect(apply.code).toBe(1);
    refused(apply.summary);
    expect(apply.summary).toMatch(/with its digest, `[0-9a-f]{64}`/);
    expect(team.sent()).toBe(sent);
    expect(team.repository.log()).toEqual(log);
    return apply.summary;
  }

  test('two reviews of one address are refused with both pull requests named, and a third that shows the sum is applied', async () => {
    const team = await settled();
    const a = await team.propose(fileOf('first', { name: 'renamed' }));
    const b = await team.propose(fileOf('first', { subject: 'Another subject' }));
    team.merge(a);
    team.merge(b);
    for (const input of ['refuse', 'apply']) {
      const summary = await refuses(team, { 'when-unknown': input });
      expect(summary).toContain(`#${a} and #${b} change it, and nobody has reviewed what they do together.`);
    }
    team.merge(await team.propose({ 'schedules/README.md': 'words' }));
    const applied = await team.apply();
    expect(applied.code, applied.log).toBe(0);
    expect(team.schedules()).toEqual(['renamed']);
  });

  test('two changes of one address are applied one after the other if an apply ran between them', async () => {
    const team = await settled();
    const a = await team.propose(fileOf('first', { name: 'renamed' }));
    const b = await team.propose(fileOf('first', { subject: 'Another subject' }));
    team.merge(a);
    expect((await team.apply()).code).toBe(0);
    team.merge(b);
    expect((await team.apply()).code).toBe(0);
  });

  test('nothing is applied of what nobody reviewed, and every reason is named', async () => {
    const team = await settled();
    const comment = (number: number) => team.github.comments.find(({ pull }) => pull === number);
    const edited = await team.propose(fileOf('edited'));
    Object.assign(comment(edited) ?? {}, { editor: 'mallory' });
    const forged = await team.propose(fileOf('forged'));
    Object.assign(comment(forged) ?? {}, { user: { login: 'mallory' } });
    const pushed = await team.propose(fileOf('pushed'));
    const head = team.repository.commit(fileOf('later'), { branch: `pr-${pushed}` });
    Object.assign(team.github.pulls.find(({ number }) => number === pushed) ?? {}, { head: { sha: head } });
    const calm = await team.propose({ 'schedules/README.md': 'words' });
    expect(comment(calm)?.body).toContain('**Almanac plan: no changes**');
    for (const number of [edited, forged, pushed, calm]) team.merge(number);
    const commit = team.repository.commit(fileOf('direct'));

    const summary = await refuses(team);
    for (const key of ['edited', 'forged', 'pushed', 'later', 'direct'])
      expect(summary).toContain(`<code>schedules&#46;${key}</code>: no merged pull request shows this change.`);
    expect(summary).toContain(`#${edited} has a plan comment that somebody else edited.`);
    expect(summary).toContain(`#${forged} has a plan comment that github-actions[bot] did not write.`);
    expect(summary).toContain(`#${pushed} has the plan of an earlier push.`);
    expect(summary).toContain(`The commit ${commit.slice(0, 9)} was pushed without a pull request.`);
    expect(summary).not.toContain(`#${calm} `);
  });

  test('a state that any pull request can edit, and so hide changes, is refused before a plan is made', async () => {
    const team = await openTeam({ 'almanac.yaml': 'api: { operations: full }\n', 'almanac.state.json': '{}' });
    team.merge(await team.propose(fileOf('a'), { fork: true }));
    for (const input of ['refuse', 'apply']) {
      const apply = await team.apply({ 'when-unknown': input });
      expect(apply.code, apply.log).toBe(1);
      expect(apply.ran).toEqual(['prepare']);
      expect(apply.summary).toContain('The state is almanac.state.json, a file that any pull request can edit');
      expect(apply.summary).toContain('`state: { backend: git }`');
    }
    expect(team.sent()).toBe(0);
  });

  test('a plan that is made after the merge reviews nothing, and leaves the comment that people saw', async () => {
    const team = await openTeam();
    const [a, b] = [await team.propose(fileOf('a'), { fork: true }), await team.propose(fileOf('b'))];
    for (const number of [a, b]) team.merge(number);
    const shown = team.github.comments.map(({ body }) => body);
    const late = await team.plan(a);
    expect(late.code, late.log).toBe(0);
    expect(late.log).toContain('::notice title=Almanac::The pull request is merged, so its comment stays as it is.');
    expect((await team.plan(b)).code).toBe(0);
    expect(team.github.comments.map(({ body }) => body)).toEqual(shown);
    expect(await refuses(team)).toContain(`#${a} has no plan comment.`);
  });

  test('a fork without a comment is refused, and applied where unknown changes are', async () => {
    const team = await openTeam();
    const a = await team.propose(fileOf('a'), { fork: true });
    team.merge(a);
    expect(await refuses(team)).toContain(`#${a} has no plan comment.`);
    const applied = await team.apply({ 'when-unknown': 'apply' });
    expect(applied.code, applied.log).toBe(0);
    expect(applied.log).toContain('::warning title=Almanac::Nobody reviewed these changes');
    expect(team.schedules()).toEqual(['a']);
  });
});
