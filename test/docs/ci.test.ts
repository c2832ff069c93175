// The pages on CI: the GitLab pipeline is YAML that GitLab reads as intended, and every command on the pages exists.

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { blocks, page } from '../support/action/workflow-files.ts';
import { runProgram } from '../support/program.ts';

interface GitlabJob {
  readonly stage: string;
  readonly script: readonly string[];
  readonly resource_group?: string;
  readonly interruptible?: boolean;
  readonly rules: readonly { readonly if: string; readonly when?: string }[];
  readonly artifacts?: {
    readonly access?: string;
    readonly paths?: readonly string[];
    readonly reports?: Readonly<Record<string, string>>;
  };
}

const gitlab = blocks.find((block) => block.startsWith('# .gitlab-ci.yml')) ?? '';
const { default: shared, stages, ...jobs } = parse(gitlab) as Record<string, unknown>;
const jobNamed = (name: string) => jobs[name] as GitlabJob;

describe('the pipeline for GitLab', () => {
  test('the GitLab pipeline has jobs with stages and commands that are texts', () => {
    expect(Object.keys(jobs)).toEqual(['validate', 'plan', 'apply', 'drift']);
    expect(shared).toMatchObject({ before_script: ['npm ci'] });
    for (const job of Object.values(jobs) as GitlabJob[]) {
      expect(stages).toContain(job.stage);
      for (const line of job.script) expect(line).toEqual(expect.any(String));
      expect(job.rules.length).toBeGreaterThan(0);
    }
  });

  test('the GitLab pipeline gives its widgets the files that the commands write', () => {
    for (const name of ['validate', 'plan']) {
      const { script, artifacts } = jobNamed(name);
      const written = [...script.join('\n').matchAll(/--(?:report [a-z]+=|out )(\S+)/g)].map(([, file]) => file);
      const kept = [...Object.values(artifacts?.reports ?? {}), ...(artifacts?.paths ?? [])];
      expect(kept.sort()).toEqual(written.sort());
    }
    expect(Object.keys(jobNamed('validate').artifacts?.reports ?? {})).toContain('codequality');
    expect(Object.keys(jobNamed('plan').artifacts?.reports ?? {})).toContain('terraform');
    expect(jobNamed('plan').artifacts?.access).toBe('developer');
  });

  test('the GitLab pipeline applies one run at a time, at the tip, after approval, and always pushes the state', () => {
    const { script, resource_group: group, interruptible, rules } = jobNamed('apply');
    expect(group).toBe('production');
    expect(interruptible).toBe(false);
    expect(rules.every(({ when }) => when === 'manual')).toBe(true);
    expect(script[0]).toContain('FETCH_HEAD');
    expect(script.at(-1)).toBe('exit "${failed:-0}"');
  });
});

describe('the commands of the pages on CI', () => {
  const lines = [...page.matchAll(/almanac ((?:validate|plan|apply|drift)\b[^`|>;&\n]*)/g)].map(([, line = '']) =>
    line.trim(),
  );

  test('the CI pages show many commands', () => {
    expect(lines.filter((line) => line.includes('--report'))).toHaveLength(2);
    expect(lines.length).toBeGreaterThan(10);
  });

  test.each([...new Set(lines)])('the command in the CI pages exists: almanac %s', async (line) => {
    const [command = ''] = line.split(' ');
    const { stdout: help } = await runProgram([command, '--help'], { cwd: '.' });
    for (const [flag] of line.matchAll(/--[a-z-]+/g)) expect(help).toMatch(new RegExp(`${flag}\\b`));
    for (const [, format = ''] of line.matchAll(/--report ([a-z]+)=/g)) expect(help).toContain(format);
  });
});
