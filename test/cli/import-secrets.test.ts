// Secrets in the URLs of webhooks, as `almanac import` finds them: they become variables, and stay out of every file.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/model/workspace/failure.ts';
import { connecting } from '../support/cli/connecting.ts';
import { workspaceIn } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

async function openStage(files: Readonly<Record<string, unknown>> = {}) {
  const workspace = await openWorld(files);
  const hook = (name: string, url: string) => workspace.create('webhook', { name, format: 'json', url });
  return { ...workspace, hook };
}

const file = 'schedules/sales/sales-overview.yaml';

describe('the URL of a webhook', () => {
  it('the comment says which part of the URL a variable holds, and where Omni shows it', async () => {
    const stage = await openStage();
    await stage.hook('Hook', 'https://hooks.slack.com/services/T0/B0/hush?token=hush2');
    const { variables } = await stage.import();
    expect(stage.read(file)).toContain(
      '    # Set SLACK_HOOK to what follows https://hooks.slack.com/services/, and HOOKS_SLACK_COM_TOKEN to the value of `token` in the URL. Omni shows it where the schedule is edited.\n',
    );
    expect(variables.map(({ name, holds }) => [name, holds])).toEqual([
      ['HOOKS_SLACK_COM_TOKEN', '`token` of a URL at hooks.slack.com'],
      ['SLACK_HOOK', 'the end of the URL of a Slack hook'],
    ]);
  });

  it('a URL with a password before the host is not declared, because no variable can hide it', async () => {
    const stage = await openStage();
    await stage.hook('Hook', 'https://ana:hush@a.example/in');
    await stage.hook('Other', 'https://a.example/in');
    const ran = await stage.run('import');
    expect(ran.stderr).toContain('not declared: Hook');
    expect(ran.stderr).toContain('before the host');
    expect(ran.stdout + ran.stderr + stage.read(file)).not.toContain('hush');
  });
});

describe('an import that did not finish', () => {
  const broken = connecting(({ getRecipients }) => {
    let count = 0;
    return {
      getRecipients: async (...given) => {
        count += 1;
        if (count === 3) throw new Failure('api-unreachable', 'The network is down.');
        return getRecipients(...given);
      },
    };
  });

  it('its progress file holds no secret of a URL, and --resume asks only for those answers and the filters beside them again', async () => {
    const stage = await openStage();
    await stage.hook('One', 'https://a.example/in?token=hush');
    const two = await stage.hook('Two', 'https://a.example/in');
    await stage.hook('Three', 'https://a.example/in?token=hush');
    const disturbed = workspaceIn(stage, stage.environment, { connect: broken });
    expect((await disturbed.run('import')).code).toBe(1);
    const first = stage.emulator.requests().length;
    expect(readFileSync(join(stage.path, '.almanac-import.json'), 'utf8')).not.toContain('hush');
    expect((await stage.import('--resume')).imported).toHaveLength(3);
    const again = stage.emulator.requests().slice(first);
    expect(again.length).toBeLessThanOrEqual(8);
    const ofTwo = stage.emulator.requests().filter(({ method, path }) => method === 'GET' && path.includes(two));
    expect(new Set(ofTwo.map(({ path }) => path)).size).toBe(ofTwo.length);
    const others = again.map(({ path }) => path).filter((path) => !/\/v1\/schedules\/./.test(path));
    expect(others).toEqual(['/api/v1/schedules', '/api/v1/ai/routines', '/api/v1/dashboards/12db1a0a/filters']);
  });
});

it('an import works in one folder where the token may not list documents, and says so', async () => {
  const stage = await openStage();
  await stage.hook('One', 'https://a.example/1');
  const connect = connecting(() => ({
    listDocuments: async () => {
      const cause = Object.assign(new Error('no'), { code: 'forbidden', status: 403 });
      throw new Failure('api-unauthorized', 'The service refused GET /v1/documents.', { cause });
    },
  }));
  const ran = await workspaceIn(stage, stage.environment, { connect }).run('import');
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('folders and owners') });
  expect(stage.read('schedules/sales-overview.yaml')).toContain('\n# The dashboard Sales overview (12db1a0a), as');
});
