// The progress of an import on stderr: what it will take, then a live bar on a terminal or a line for every tenth.

import type { Doc } from '../../report/doc.ts';
import type { Page } from '../../report/text/theme.ts';
import type { ImportEvent, ImportReporter } from './import-document.ts';
import { renderExpected, renderNotes, renderSkipped } from './import-text.ts';
import { openLiveLine, waitingWords } from './progress.ts';
import { redraws } from './publishing.ts';
import type { Run } from './run.ts';
import type { Shown } from './shown-texts.ts';

/** `shown` masks what Omni wrote. */
export function importReporter(run: Run, shown: Shown): ImportReporter & { end(): void } {
  const { stderr } = run;
  const page = run.page(stderr);
  const isQuiet = run.options.quiet === true;
  const showsBar = redraws(stderr, run);
  const live = openLiveLine(stderr, page, showsBar && !isQuiet);
  let what = 'schedules';
  return {
    emit: (given) => {
      const event = shown(given);
      if (event.type === 'expected') what = whatIsRead(event);
      // What is remarked stays on one line, as in every log.
      const width = event.type === 'note' || event.type === 'notes' ? Number.POSITIVE_INFINITY : page.width;
      live.say(docOf(event, page, { isQuiet, showsBar, what }), { ...page, width });
      if (event.type !== 'read') return;
      live.draw({ done: event.done, total: event.total, running: [event.name] });
      if (event.done === event.total) live.end();
    },
    end: live.end,
  };
}

function whatIsRead({ members = 0, dashboards }: Extract<ImportEvent, { type: 'expected' }>): string {
  if (members > 0) return 'members';
  return dashboards > 0 ? 'schedules and dashboards' : 'schedules';
}

/** `what` is read: one of them may take several requests. */
interface Shape {
  readonly isQuiet: boolean;
  readonly showsBar: boolean;
  readonly what: string;
}

function docOf(event: ImportEvent, page: Page, { isQuiet, showsBar, what }: Shape): Doc {
  switch (event.type) {
    case 'expected':
      return isQuiet ? [] : renderExpected(event);
    case 'read': {
      const isTenth = Math.floor((event.done * 10) / event.total) > Math.floor(((event.done - 1) * 10) / event.total);
      return isQuiet || showsBar || !isTenth || event.total < 10
        ? []
        : [`Read ${event.done} of ${event.total} ${what}.`];
    }
    case 'skipped':
      return renderSkipped(event.schedules, page);
    case 'waiting':
      return [!isQuiet && waitingWords(event)];
    case 'note':
      return renderNotes([event.message], page);
    case 'notes':
      return renderNotes(event.messages, page);
  }
}
