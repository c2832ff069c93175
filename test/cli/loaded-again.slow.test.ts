// Which code a run loads that meets nothing new: the one that parses and checks files is not part of it.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { schedule } from '../support/engine/loading.ts';
import { runProgram } from '../support/program.ts';
import { makeFolder } from '../support/workspace.ts';

/** Of the parser of YAML, and of the compiled schemas. */
const parserAndChecks = ['YAMLParseError', 'validateSource=validate'];

/** Which of these parts is in a file that the program loaded. */
async function loadedBy(command: string, cwd: string, home: string): Promise<readonly string[]> {
  const [hook, list] = [join(cwd, 'hook.cjs'), join(cwd, 'loaded.json')];
  writeFileSync(
    hook,
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache))));`,
  );
  const { code, stderr } = await runProgram([command], {
    cwd,
    environment: { HOME: home, NODE_OPTIONS: `--require "${hook}"` },
  });
  expect([code, stderr]).toEqual([0, '']);
  const files: readonly string[] = JSON.parse(readFileSync(list, 'utf8'));
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  return parserAndChecks.filter((part) => text.includes(part));
}

test('a run in which no file changed loads neither the parser nor the compiled schemas', async () => {
  const { path: cwd } = makeFolder({
    'almanac.yaml': 'api: { baseUrl: "https://acme.omniapp.co" }\n',
    'schedules/a.yaml': `schedules:\n${schedule('one')}`,
    'schedules/b.yaml': `schedules:\n${schedule('two')}`,
  });
  // Nothing is kept inside of a workspace.
  const { path: home } = makeFolder();
  expect(await loadedBy('validate', cwd, home)).toEqual(parserAndChecks);
  expect(await loadedBy('validate', cwd, home)).toEqual([]);
  expect(await loadedBy('plan', cwd, home)).toEqual([]);
  writeFileSync(join(cwd, 'schedules/b.yaml'), `schedules:\n${schedule('three')}`);
  expect(await loadedBy('plan', cwd, home)).toEqual(parserAndChecks);
  expect(await loadedBy('plan', cwd, home)).toEqual([]);
});
