// Compares where a pull request sends the token, where it keeps the state, and what Almanac refuses, reports and leaves out
// with what its base branch says, and says if it edits the state. Almanac itself reads both almanac.yaml files; the base branch counts as its state says, where it has one.

import { join } from 'node:path';
import { code } from '../comments/markdown.mjs';
import { readJson } from '../runner/json.mjs';
import { placeOf } from './place.mjs';

const unread =
  'The base branch could not be read, so almanac.yaml and the place of the state were not compared with it.';

const unlisted =
  'The files of the pull request could not be listed, so whether it edits the state, which can hide changes, is not known.';

/** Sentences for reviewers, as Markdown and as text; none where both branches agree. */
export async function compareWithBase(run, { folder, files, failed }) {
  if (failed) return [{ title: unread, detail: '', text: unread }];
  if (folder === '') return [];
  const base = await placeIn(folder, run);
  const head = await placeIn(run.folder.checkout, run);
  const edits = editsOf([...(base?.files ?? []), ...(head?.files ?? [])], files);
  if (base === undefined) return edits;
  if (base === 'unread' || head === undefined || head === 'unread')
    return [{ title: unread, detail: '', text: unread }, ...edits];
  return [
    ...edits,
    ...differing(
      'The base URL is not that of the base branch: the token goes elsewhere',
      base.applied ?? base.said,
      head.said ?? head.applied,
    ),
    ...differing('The state is not kept where the base branch keeps it', base.place, head.place, {
      // A file may bear the name of a shared place.
      isSame: base.isShared === head.isShared && base.place === head.place,
    }),
    ...['safety', 'ignore', 'checks'].flatMap((name) =>
      differingSection(name, base.settings[name], head.settings[name]),
    ),
  ];
}

/** What a reviewer must see before anything else. */
export function baseWords(differences) {
  if (differences.length === 0) return '';
  const lines = differences.flatMap(({ title, detail }) => [
    `- **${title}**`,
    ...(detail === '' ? [] : [`  - ${detail}`]),
  ]);
  return `${['[!CAUTION]', ...lines].map((line) => `> ${line}`).join('\n')}\n\n`;
}

/** An apply writes the state by itself. Edited by hand it can hide changes, because a plan shows what differs from it. */
function editsOf(states, list) {
  const changed = list === '' ? undefined : readJson(list);
  if (changed === undefined) return [{ title: unlisted, detail: '', text: unlisted }];
  const own = new Set(states.flatMap((state) => [state, `${state}.journal`]));
  const files = changed.filter((path) => own.has(path));
  const title = 'The pull request edits the state, and the plan shows only what differs from it';
  return files.map((path) => ({ title, detail: code(path), text: `${title}: ${path}.` }));
}

function differing(title, before, after, { isSame = before === after } = {}) {
  if (before === undefined || isSame) return [];
  const now = after ?? 'none';
  return [{ title, detail: `${code(now)}, so far ${code(before)}`, text: `${title}: ${now}, so far ${before}.` }];
}

/** A pull request that weakens one changes nothing in Omni, so nobody would look twice, and the next one is judged by it. */
function differingSection(name, before, after) {
  const [was, is] = [partsOf(before), partsOf(after)];
  const [gone, fresh] = [was.filter((part) => !is.includes(part)), is.filter((part) => !was.includes(part))];
  if (gone.length === 0 && fresh.length === 0) return [];
  const title = `The section ${name} of almanac.yaml is not that of the base branch`;
  const [now, soFar] = [fresh, gone].map((parts) => parts.join(', ') || 'none');
  if (now.length + soFar.length > mostShown) return [{ title, detail: '', text: `${title}.` }];
  return differing(title, soFar, now);
}

/** Longer ones are read in the difference of almanac.yaml. */
const mostShown = 300;

function partsOf(section = {}) {
  if (Array.isArray(section)) return section.map((entry) => JSON.stringify(entry));
  return Object.entries(section).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
}

/** Undefined where there is no workspace; `unread` where Almanac could not read its configuration. */
async function placeIn(root, run) {
  const place = await placeOf(root, run);
  if (place === undefined) return 'unread';
  // The state of a shared place is not among the files of a branch: almanac.yaml and the job say the base URL then.
  const applied = place.state === undefined ? undefined : stateIn(join(root, place.state));
  if (!place.isConfigured && applied === undefined) return undefined;
  return {
    said: place.baseUrl ?? undefined,
    applied: applied?.baseUrl,
    place: place.place,
    isShared: place.state === undefined,
    files: place.files,
    settings: place.settings,
  };
}

function stateIn(path) {
  const state = readJson(path) ?? undefined;
  return state && { baseUrl: typeof state.baseUrl === 'string' ? state.baseUrl : undefined };
}
