// A probe for people: what is said before it begins, and what it found out.

import { countList, countOf, nameSome } from '../../../model/values/words.ts';
import { type Block, type Doc, dim, indented, part } from '../../../report/doc.ts';
import { printText } from '../../../report/print-text.ts';
import type { Page, Role } from '../../../report/text/theme.ts';
import { duration } from '../../../report/text/words.ts';
import type { ProbeDocument, ProbedStatement, ProbeResult } from './probe-document.ts';
import { statements } from './statements.ts';

interface ProbeAnnouncement {
  readonly identifier: string;
  readonly baseUrl: string;
  readonly to: string | undefined;
  readonly group: string | undefined;
  readonly made: number;
  /** Files at most. */
  readonly downloads: number;
  readonly requests: number;
  /** Requests a minute; 0 for no limit. */
  readonly rateLimit: number;
  readonly seconds: number;
}

/** Ends with a newline. */
export function renderBefore(page: Page, about: ProbeAnnouncement): string {
  const { identifier, baseUrl, to, group, made, downloads, requests, rateLimit, seconds } = about;
  const receivers = [
    'hosts that end in .invalid',
    ...(to === undefined ? [] : [to]),
    ...(group === undefined ? [] : [`the user group ${group}`]),
  ];
  const pace = rateLimit === 0 ? 'without a limit' : `at most ${rateLimit} a minute`;
  const [nearly, rendered] =
    downloads === 0 ? ['', ''] : ['about ', ', and the time that Omni takes to render the files'];
  const time = seconds === 0 ? 'less than a minute' : `about ${duration(seconds)}`;
  return printText(
    [
      `A probe of the dashboard ${identifier} at ${baseUrl}:`,
      indented(
        2,
        `It makes ${made} schedules called “Almanac probe UUID, may be deleted”, to ${nameSome(receivers)}. Each runs first in the year 2099, is paused at once, and is deleted at the end.`,
        'The probe delivers nothing, and changes nothing but what it has made itself.',
        'Whether Omni tells somebody that a schedule was created, no source says: its owner and those who would receive it may get a notice of each.',
        downloads > 0 &&
          `It downloads one tile of the dashboard, ${downloads} files at most: a few rows as CSV, and two pictures. They stay in memory, and nothing of them is printed.`,
        `It sends ${nearly}${countOf(requests, 'request')}, ${pace}: ${time}${rendered}. No apply can begin meanwhile.`,
      ),
    ],
    page,
  );
}

const marks: Readonly<Record<ProbeResult, { readonly mark: string; readonly role: Role }>> = {
  held: { mark: '✓', role: 'added' },
  differs: { mark: '!', role: 'warning' },
  'not-tried': { mark: '-', role: 'dim' },
};

const wordsById = new Map(Object.entries(statements).map(([id, { words }]) => [id, words]));

/** Ends with a newline. */
export function renderProbe({ statements: found }: ProbeDocument, page: Page): string {
  return printText([part(...found.map(blockOf)), part(ending(found), ...offWords(found))], page);
}

/** Only what was shown may turn a warning off. */
function offWords(found: readonly ProbedStatement[]): Doc {
  if (!found.some(({ id, result }) => id === 'png-follows-filters' && result === 'held')) return [];
  return [
    'A PNG follows its filters here, so almanac.yaml may say so:',
    indented(2, 'checks: { png-unfiltered: off }'),
  ];
}

function blockOf({ id, result, came, why }: ProbedStatement): Block {
  const { mark, role } = marks[result];
  const words = `${id}: ${wordsById.get(id) ?? ''}`;
  return {
    mark: [{ role, of: mark }, ' '],
    of: result === 'not-tried' ? dim(words) : words,
    below: [came !== undefined && `Differs: ${came}`, why !== undefined && dim(`Not tried: ${why}`)],
  };
}

function ending(found: readonly ProbedStatement[]): string {
  const count = (result: ProbeResult) => found.filter((each) => each.result === result).length;
  const counted = countList([
    [count('held'), 'held'],
    [count('differs'), count('differs') === 1 ? 'differs' : 'differ'],
    [count('not-tried'), 'not tried'],
  ]);
  return `${counted}.`;
}
