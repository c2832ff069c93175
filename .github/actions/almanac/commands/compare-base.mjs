// Compares where a pull request sends the token and keeps the state with what its base branch says. Almanac itself reads
// both almanac.yaml files.

import { code } from '../comments/markdown.mjs';
import { placeOf } from './place.mjs';

const unread =
  'The base branch could not be read, so the base URL and the place of the state were not compared with it.';

/** Sentences for reviewers, as Markdown and as text; none where both branches agree. `folder` holds the base's almanac.yaml. */
export async function compareWithBase(run, { folder, failed }) {
  if (failed) return [{ title: unread, detail: '', text: unread }];
  if (folder === '') return [];
  const base = await placeOf(folder, run);
  // The first pull request, which brings the workspace.
  if (base?.isConfigured === false) return [];
  const head = await placeOf(run.folder.checkout, run);
  if (base === undefined || head === undefined) return [{ title: unread, detail: '', text: unread }];
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
