// The shell sessions of README.md and docs/ print what the pages show. `UPDATE=1 npx vitest run --mode all test/docs` writes
// real output into the pages.

import { test } from 'vitest';
import { pages, sessionsOf } from '../support/docs/page-sessions.ts';
import { expectAsWritten, readParts } from '../support/transcript.ts';

const sessions = pages
  .map(sessionsOf)
  .flatMap((page) =>
    [...readParts(page).entries()].flatMap(([index, { steps }]) =>
      steps.some(({ kind }) => kind === 'command') ? [{ page, path: page.path, index }] : [],
    ),
  );

// At the same time: a session has a folder and a service of its own, and waits for most of its time. One that moves a
// state starts git some hundred times, which takes a minute on a busy machine.
test.concurrent.each(sessions)(
  'session $index of $path prints what the page shows',
  ({ page, index }) => expectAsWritten(page, index),
  180_000,
);
