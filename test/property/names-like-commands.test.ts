// Advised commands keep the run's options, and names are printed unchanged. That holds in every format that people
// read, whatever a name from a file reads like.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planReportFormats, validateFormats } from '../../src/commands/base/command.ts';
import type { PlanDocument } from '../../src/model/plan/plan.ts';
import { quote } from '../../src/model/values/words.ts';
import { escapeMarkup } from '../../src/report/print-html.ts';
import { inlineOf } from '../../src/report/print-markdown.ts';
import { lostCreate } from '../support/cli/advice.ts';
import { runs } from '../support/runs/runs.ts';
import { inOneLine } from '../support/vocabulary.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const piece = fc.constantFrom(
  'How to run almanac plan weekly',
  'almanac list models',
  '`almanac apply --target a`',
  '\ue000almanac plan\ue001',
  '\ue000k3v9x1\ue001almanac plan\ue000k3v9x1\ue001',
  '\ue000',
  '\ue001',
  '`',
  '--env prod',
  '<b>&',
  '|',
);
const name = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(' '));

const here = '--env staging';
const countOf = (text: string, part: string) => text.split(part).length - 1;

/** An AI job whose model is no UUID is an error that says the name, and names the command that lists models. */
async function validated(modelId: string) {
  const folder = makeFolder({
    'almanac.yaml': { environments: { staging: {} } },
    'schedules/a.yaml': { aiJobs: { a: { modelId, name: 'A', prompt: 'x' } } },
  });
  const { run } = workspaceIn(folder, {});
  const shown = async (format: string) => (await run('validate', '--env', 'staging', '--format', format)).stdout;
  return Object.fromEntries(await Promise.all(validateFormats.map(async (each) => [each, await shown(each)] as const)));
}

/** A variable that is not set is a warning that names the command that needs it. */
async function planned(reportName: string) {
  const folder = makeFolder({
    'almanac.yaml': { environments: { staging: {} } },
    'schedules/a.yaml': {
      schedules: {
        a: {
          identifier: '12db1a0a',
          name: reportName,
          schedule: '0 9 ? * MON *',
          timezone: 'UTC',
          format: 'pdf',
          destinationType: 'webhook',
          url: 'https://hooks.example.com/${env.HOOK}',
        },
      },
    },
  });
  const { run } = workspaceIn(folder, {});
  const reports = planReportFormats.map((each) => `--report=${each}=${each}.out`);
  const { stdout, stderr } = await run('plan', '--env', 'staging', ...reports);
  const files = planReportFormats.map(
    (each) => [each, readFileSync(join(folder.path, `${each}.out`), 'utf8')] as const,
  );
  return {
    ...(Object.fromEntries(files) as Record<(typeof planReportFormats)[number], string>),
    onTerminal: stderr + stdout,
  };
}

it('validate shows a name as it was written, and the command with the options of the run', async () => {
  await fc.assert(
    fc.asyncProperty(name, async (odd) => {
      const shown = await validated(odd);
      const said = quote(odd);
      const advised = 'almanac list models';
      const [text = '', github = '', junit = ''] = [shown['text'], shown['github'], shown['junit']].map((each) =>
        inOneLine(each ?? ''),
      );
      expect(text).toContain(`${said} is not valid for`);
      expect(text).toContain(`\`${advised} ${here}\` prints`);
      expect(countOf(text, here)).toBe(1);
      const { diagnostics } = JSON.parse(shown['json'] ?? '') as { diagnostics: { message: string; hint: string }[] };
      expect(diagnostics[0]?.message).toContain(said);
      expect(diagnostics[0]?.hint).toContain(`\`${advised}\` prints`);
      const sarif = JSON.parse(shown['sarif'] ?? '') as { runs: { results: { message: { text: string } }[] }[] };
      expect(sarif.runs[0]?.results[0]?.message.text).toContain(`${said} is not valid for`);
      const [issue] = JSON.parse(shown['gitlab'] ?? '') as { description: string }[];
      expect(issue?.description).toContain(`${said} is not valid for`);
      expect(issue?.description).toContain(`\`${advised}\` prints`);
      expect(github).toContain(`${said} is not valid for`);
      expect(junit).toContain(`${escapeMarkup(said)} is not valid for`);
      for (const format of ['json', 'sarif', 'gitlab', 'github', 'junit']) expect(shown[format]).not.toContain(here);
    }),
    { numRuns: runs(15) },
  );
});

it('a plan shows a name as it was written, and the command with the options of the run', async () => {
  await fc.assert(
    fc.asyncProperty(name, async (odd) => {
      const { onTerminal, text, markdown, html, json, gitlab } = await planned(odd);
      expect(inOneLine(onTerminal)).toContain(`where almanac apply ${here} runs`);
      for (const each of [onTerminal, text]) expect(inOneLine(each)).toContain(odd);
      expect(markdown).toContain(inlineOf({ value: odd }));
      expect(html).toContain(escapeMarkup(odd));
      for (const each of [markdown, html]) expect(each).toContain(`almanac apply ${here}`);
      const plan = JSON.parse(json) as PlanDocument;
      expect(plan.changes[0]?.diff.find(({ path }) => path === '/name')?.after).toBe(odd);
      expect(json + gitlab).not.toContain(here);
      const ofCommands = /almanac (?:apply|plan -v|validate) --env staging/g;
      for (const each of [onTerminal, text, markdown, html].map(inOneLine))
        expect(each.replaceAll(ofCommands, '')).not.toContain(here);
    }),
    { numRuns: runs(15) },
  );
});

it('nothing that is kept or printed holds the mark of a command', async () => {
  const desk = await lostCreate('core')();
  await desk.run(
    'plan --out saved.plan --report json=a.json --report html=a.html --report markdown=a.md --report gitlab=a.gl',
  );
  await desk.run('apply --auto-approve');
  await desk.run('status --format json');
  await desk.run('doctor --format json');
  const files = readdirSync(desk.path, { recursive: true, encoding: 'utf8', withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  const texts = files.map(
    ({ parentPath, name: file }) => [file, readFileSync(join(parentPath, file), 'utf8')] as const,
  );
  expect(Object.fromEntries(texts)['saved.plan']).toContain('`almanac state resolve schedules.weekly --id ID`');
  expect(texts.filter(([, text]) => /[\ue000\ue001]/.test(text))).toEqual([]);
});
