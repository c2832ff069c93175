// The steps that init prints are run as they are printed, one after the other, also where npx started it.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newDesk } from '../../support/cli/advice.ts';

it.each(['init --yes', 'init --destination email', 'init --destination webhook email'])(
  'the steps that %s prints lead to a plan without changes',
  async (line) => {
    const desk = await newDesk({ files: {}, environment: { npm_command: 'exec' } });
    const [, baseUrl = ''] = /"baseUrl": "([^"]+)"/.exec(desk.read('almanac.yaml')) ?? [];
    rmSync(join(desk.path, 'almanac.yaml'));
    const { stdout } = await desk.run(`${line} --base-url ${baseUrl}`);
    const steps = [...stdout.matchAll(/^ +npx --no -- almanac (.+)$/gm)].map(([, step = '']) => step);
    expect(steps.length).toBeGreaterThan(2);
    for (const step of steps) {
      const ran = await desk.run(step.startsWith('apply') ? `${step} --auto-approve` : step);
      expect(ran.code, `${step}: ${ran.stdout}${ran.stderr}`).toBe(0);
    }
    expect((await desk.run('plan')).stdout).toContain('No changes.');
  },
);
