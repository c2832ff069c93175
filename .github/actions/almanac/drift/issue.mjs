// The issue that says what differs in Omni: its text, and whether to open, update or close one. GitHub and GitLab share
// it; they differ only in how they list issues and send changes. Nothing here sends anything or reads the environment.

import { createHash } from 'node:crypto';
import { fitted } from '../comments/markdown.mjs';
import { attribute } from '../comments/marker.mjs';

/**
 * What the issue of an environment of a workspace should say. `document` is what `almanac drift --untracked` prints as
 * JSON, `markdown` the same as Markdown, both without secrets; `link` leads to the run, or is ''.
 */
export function driftIssue({ environment, directory, document, markdown, link }) {
  const identity = `<!-- almanac:drift environment="${environment}" directory="${attribute(directory)}"`;
  const content = contentOf(document);
  const first = `${identity} content="${content}" -->`;
  const foot = `\n<sub>${link === '' ? 'Almanac' : `[This run](${link})`} keeps this issue up to date, and closes it when nothing differs.</sub>\n`;
  const words =
    link === '' ? 'The rest is in the report of the run.' : `The rest is in the [report of the run](${link}).`;
  return {
    identity,
    content,
    title: titleOf(environment, directory),
    body: fitted({ first, markdown, foot, words }),
    isCalm: [document.drift, document.untracked].every((list) => (list ?? []).length === 0),
    isComplete: !(document.diagnostics ?? []).some(({ code }) => code === 'not-observed'),
  };
}

/**
 * What to send, in order: `{ action: 'open', title, body }`, or `{ action: 'update', id, body?, open? }`, where `open` says
 * whether the issue should be open. What is left out stays as it is. `issues` are all `{ id, body, isOpen }` that the same
 * user wrote earlier; those without the marker are left alone.
 */
export function decideIssue(wanted, issues) {
  const own = issues
    .filter(({ body }) => String(body ?? '').startsWith(`${wanted.identity} `))
    .sort((a, b) => a.id - b.id);
  // What could not be looked at may still differ.
  if (wanted.isCalm && !wanted.isComplete) return [];
  if (wanted.isCalm)
    return own
      .filter(({ isOpen }) => isOpen)
      .map(({ id }) => ({ action: 'update', id, body: wanted.body, open: false }));
  const [kept, ...others] = own;
  if (kept === undefined) return [{ action: 'open', title: wanted.title, body: wanted.body }];
  const isSame = contentIn(kept.body) === wanted.content;
  const change = { ...(isSame ? {} : { body: wanted.body }), ...(kept.isOpen ? {} : { open: true }) };
  return [
    ...(Object.keys(change).length === 0 ? [] : [{ action: 'update', id: kept.id, ...change }]),
    // Two runs at the same time may each have opened one.
    ...others.filter(({ isOpen }) => isOpen).map(({ id }) => ({ action: 'update', id, open: false })),
  ];
}

/**
 * A digest of what differs. The time of a last run is no part of it: it passes every night, and the issue should change
 * only when there is something new to read.
 */
function contentOf({ baseUrl = null, drift = [], untracked = [], diagnostics = [] }) {
  const lasting = untracked.map(({ lastRunAt: _, ...schedule }) => schedule);
  return createHash('sha256')
    .update(JSON.stringify([baseUrl, drift, lasting, diagnostics]))
    .digest('hex');
}

/** '' if there is none. */
function contentIn(body) {
  const [line = ''] = String(body).split(/\r?\n/, 1);
  return / content="([0-9a-f]{64})" -->$/.exec(line)?.[1] ?? '';
}

function titleOf(environment, directory) {
  const place = [environment, directory === '.' ? '' : directory].filter((part) => part !== '').join(', ');
  return `Omni differs from what Almanac declares${place === '' ? '' : ` (${place})`}`.slice(0, 200);
}
