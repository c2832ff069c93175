// Compares where a pull request sends the token, where it keeps the state, and what Almanac refuses, reports and leaves
// out with what its base branch says. Almanac itself reads both almanac.yaml files.

import { code } from '../comments/markdown.mjs';
import { placeOf } from './place.mjs';

const unread =
  'The base branch could not be read, so almanac.yaml and the place of the state were not compared with it.';

/** Sentences for reviewers, as Markdown and as text; none where both branches agree. `folder` holds the base's almanac.yaml. */
export async function compareWithBase(run, { folder, failed }) {
  if (failed) return [{ title: unread, detail: '', text: unread }];
  if (folder === '') return [];
  const base = await placeOf(folder, run);
  const head = await placeOf(run.folder.checkout, run);
  if (base === undefined || head === undefined) return [{ title: unread, detail: '', text: unread }];
  const sections = ['safety', 'ignore', 'checks'].flatMap((name) =>
    differingSection(name, base.settings[name], head.settings[name]),
  );
  // The pull request brings almanac.yaml.
  if (!base.isConfigured) return sections;
  return [
    ...differing(
      'The base URL is not that of the base branch: the token goes elsewhere',
      base.baseUrl ?? 'none',
      head.baseUrl ?? 'none',
    ),
    ...differing('The state is not kept where the base branch keeps it', base.place, head.place, {
      // A file may bear the name of a shared place.
      isSame: (base.file === undefined) === (head.file === undefined) && base.place === head.place,
    }),
    ...sections,
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

function differing(title, before, now, { isSame = before === now } = {}) {
  if (isSame) return [];
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
