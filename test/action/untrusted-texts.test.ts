// Texts of other people in the comments, issues and summaries of each host: no markup, no link, and nothing that is not seen.

import { expect, test } from 'vitest';
import { failureWords, workspaceWords } from '../../src/commands/ci/commands/summary-words.ts';
import { code, fence } from '../../src/commands/ci/comments/markdown.ts';
import { withoutQuickActions } from '../../src/commands/ci/gitlab/api.ts';
import { issueAbout, type SubjectName } from '../../src/commands/ci/issues/issue.ts';
import { notReviewedWords } from '../../src/commands/ci/reviews/words.ts';
import { isVisible } from '../../src/model/values/unseen.ts';
import { dangerDoc } from '../../src/report/plan/plan-findings.ts';
import { printMarkdown } from '../../src/report/print-markdown.ts';
import { hostileMarkup } from '../support/report/hostile-markup.ts';
import { hostileTexts } from '../support/report/hostile-text.ts';
import { elementsOf, harmlessIn } from '../support/report/markdown-elements.ts';
import { pairsOf } from '../support/runs/runs.ts';

const place = (name: string) => ({ environment: 'prod', folder: { name } });

function issue(command: SubjectName, document: object, directory = '.') {
  const about = { environment: 'prod', directory, markdown: '', link: '' };
  return issueAbout(command, { ...about, document: document as never });
}

const news = (command: SubjectName, document: object): string =>
  issue(command, document)
    .findings.map(({ words }) => `- ${words}`)
    .join('\n');

const danger = (item: { readonly subject: string; readonly detail?: string }): string =>
  printMarkdown([
    dangerDoc([{ code: 'base-neighbour', gravity: 'high', title: 'A state is new', items: [item] }] as never),
  ]);

/** What hosts are given, by the kind of the text in it that others choose. */
const kinds: Readonly<Record<string, (text: string) => string>> = {
  'the path of the workspace': (text) => workspaceWords(place(text)),
  'the path of the workspace beside a failure': (text) => failureWords('plan', { exitCode: 1, log: 'no' }, place(text)),
  'the branch in a failure': (text) => fence(`Only the default branch, ${text}, is applied.`),
  'the log of a failure': (text) => failureWords('plan', { exitCode: 1, log: text }, place('.')),
  'a message of a check': (text) => `| | |\n|---|---|\n| ${code(text)} | |`,
  'the name of an untracked schedule': (text) => news('drift', { untracked: [{ id: '1', name: text }] }),
  'the message of a finding': (text) =>
    news('drift', { diagnostics: [{ code: 'x', severity: 'error', message: text }] }),
  'the address of what drifted': (text) => news('drift', { drift: [{ address: text }] }),
  'the name of a delivery that failed': (text) => news('status', { schedules: [{ name: text, health: 'failed' }] }),
  'the address that was not reviewed': (text) =>
    notReviewedWords({ error: { addresses: [text] }, open: [], gaps: [] }).markdown,
  'the subject of a danger': (text) => danger({ subject: text }),
  'the neighbour in a danger': (text) => danger({ subject: 'a', detail: text }),
};

const hosts: Readonly<Record<string, (markdown: string) => string>> = {
  GitHub: (markdown) => markdown,
  GitLab: withoutQuickActions,
};

test.each(pairsOf(Object.keys(hosts), Object.keys(kinds)))(
  '%s is given nothing that acts or hides in %s',
  (host, kind) => {
    const render = (text: string) => hosts[host]?.(kinds[kind]?.(text) ?? '') ?? '';
    const isHarmless = harmlessIn(render, 'harmless');
    for (const text of [...hostileMarkup, ...hostileTexts, 'fi\u3164ller', 'zero\u200bwidth']) {
      isHarmless(text);
      // A space of no width of our own breaks mentions, and the quick actions of GitLab.
      const { text: read } = elementsOf(render(text).replaceAll(/&#8203;|^\u200b(?=\/)/gm, ''));
      for (const line of read.split('\n')) expect(isVisible(line), JSON.stringify(line)).toBe(true);
    }
  },
);

test.each(hostileTexts.filter((text) => !text.includes('\ud800')))(
  'the title of an issue shows the path of its workspace with all its signs: %j',
  (text) => {
    expect(isVisible(issue('drift', {}, text).title)).toBe(true);
  },
);
