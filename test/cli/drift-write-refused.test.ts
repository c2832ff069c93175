// `almanac drift --write`: what it does not write, each with the reason.

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { base, mail } from '../support/cli/drift-sources.ts';
import { at, paused, stage } from '../support/cli/drift-stage.ts';

describe('what is not written', () => {
  it('a value that is partly a reference, a secret place and a schedule that is gone are named, and the exit code is 2', async () => {
    const text = `${base}schedules:
  a: { name: 'A \${var.region}', subject: Hello }
${mail('b')}
${mail('gone')}
`;
    const { workspace, apply, change, emulator, write } = await stage(
      { 'schedules/all.yaml': text },
      'variables: { region: EU }\nsafety: { maxDeletePercent: 100 }\n',
    );
    await apply();
    change('A EU', (fields) => (fields['name'] = 'A of Europe'));
    change('B', paused);
    emulator.edit((data) => {
      data.schedules = data.schedules.filter(({ fields }) => fields['name'] !== 'GONE');
    });
    const { code, document } = await write();
    expect(code).toBe(2);
    expect(document.notWritten).toMatchObject([
      { address: 'schedules.a', path: '/name', reason: 'partly-reference' },
      { address: 'schedules.gone', path: '', reason: 'gone' },
    ]);
    expect(document.written).toMatchObject([{ address: 'schedules.b', path: '/paused' }]);
    expect(workspace.read('schedules/all.yaml')).toBe(text.replace(mail('b'), mail('b', 'paused: true')));
  });

  it('a field whose declaration was changed too keeps it', async () => {
    const text = `${base}schedules:\n${mail('a', 'schedule: 0 7 ? * TUE *')}\n`;
    const { workspace, apply, change, write } = await stage({ 'schedules/all.yaml': text });
    await apply();
    const edited = text.replace('0 7', '0 8').replace('subject: Hello', 'subject: Hi');
    workspace.write({ 'schedules/all.yaml': edited });
    change('A', at('0 6 ? * WED *'));
    change('A', paused);
    const { code, document } = await write();
    expect(code).toBe(2);
    expect(document.notWritten).toMatchObject([{ path: '/schedule', reason: 'declaration-changed' }]);
    expect(workspace.read('schedules/all.yaml')).toBe(edited.replace('subject: Hi', 'subject: Hi\n    paused: true'));
  });

  it('what Omni has is not written where no declaration could say it', async () => {
    const text = `${base}schedules:\n${mail('a', 'format: pdf', 'paperFormat: a4')}\n`;
    const { workspace, apply, change, write } = await stage({ 'schedules/all.yaml': text });
    await apply();
    change('A', (fields) => Object.assign(fields, { format: 'csv', paperFormat: undefined, name: 'A' }));
    change('A', at('0 6 ? * WED *'));
    const { code, document } = await write();
    expect(code).toBe(2);
    expect(document.notWritten).toMatchObject([{ path: '/format', reason: 'invalid' }]);
    expect(document.written).toMatchObject([{ path: '/schedule' }]);
    expect(workspace.read('schedules/all.yaml')).toBe(text.replace('0 9 ? * MON *', '0 6 ? * WED *'));
  });

  it('an anchor that another resource merges is not changed under its feet', async () => {
    const text = `${base}schedules:
  a: &a
    name: A
    subject: Hello
    schedule: 0 7 ? * TUE *
  b:
    <<: *a
    name: B
`;
    const { workspace, apply, change, write, expectQuiet } = await stage({ 'schedules/all.yaml': text });
    await apply();
    change('A', at('0 6 ? * WED *'));
    change('A', paused);
    const { code, document } = await write();
    expect(code).toBe(2);
    expect(document.notWritten).toMatchObject([
      { path: '/paused', reason: 'used-elsewhere' },
      { path: '/schedule', reason: 'used-elsewhere' },
    ]);
    expect(workspace.read('schedules/all.yaml')).toBe(text);
    change('B', at('0 6 ? * WED *'));
    change('B', paused);
    expect((await write()).document.notWritten).toEqual([]);
    expect(workspace.read('schedules/all.yaml')).toContain('schedule: 0 6 ? * WED *');
    await expectQuiet();
  });

  it('a read-only file is left as it is', async () => {
    const text = `${base}schedules:\n${mail('a')}\n`;
    const { workspace, apply, change, write } = await stage({ 'schedules/all.yaml': text });
    await apply();
    change('A', paused);
    chmodSync(join(workspace.path, 'schedules/all.yaml'), 0o444);
    const { code, document } = await write();
    expect(code).toBe(2);
    expect(document.notWritten).toMatchObject([{ reason: 'read-only' }]);
    expect(workspace.read('schedules/all.yaml')).toBe(text);
  });
});
