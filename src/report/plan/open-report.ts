// Open orphans, changes and deliveries, with the commands that resolve them. An open change or delivery has an unknown
// outcome.

import { onWordsOf } from '../../model/fields/identity.ts';
import type { NotReadBackRow } from '../../model/plan/apply-outcome.ts';
import type { UnresolvedNote } from '../../model/plan/plan.ts';
import type { Orphan, State } from '../../model/plan/state.ts';
import { countKinds } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { countOf, grouped, maxListed } from '../../model/values/words.ts';
import {
  type Block,
  type Doc,
  dim,
  firstFew,
  hint,
  indented,
  messageBlock,
  part,
  section,
  strong,
  type Words,
} from '../doc.ts';
import { shownKind } from '../listed-facts.ts';
import type { Page } from '../text/theme.ts';
import { quoteText } from '../text/visible-values.ts';

interface ListedOrphan extends Orphan {
  /** The neighbour that tracks it by now. */
  readonly trackedBy?: string | undefined;
}

export function orphanDoc(orphans: readonly ListedOrphan[], page: Pick<Page, 'showsAll'>): Doc {
  const replaced = orphans.filter((orphan) => orphan.replaced);
  const notReplaced = orphans.filter((orphan) => !orphan.replaced);
  const [runs, it] = notReplaced.length === 1 ? ['runs', 'it'] : ['run', 'them'];
  const [was, that] = replaced.length === 1 ? ['was', 'it'] : ['were', 'them'];
  return [
    notReplaced.length > 0 &&
      open(
        'Orphans:',
        `${countKinds(notReplaced.map(kindOfOrphan))} that Almanac created still ${runs} in Omni, untracked.`,
        part(...orphanRows(notReplaced, page)),
        part(`Remove ${it} in Omni, then clear ${it} from this list:`, clearCommand),
      ),
    replaced.length > 0 &&
      open(
        'Replaced:',
        `${countKinds(replaced.map(kindOfOrphan))} that ${was} replaced may still run in Omni.`,
        part(...orphanRows(replaced, page)),
        part(
          `The next ${command('apply')} with operations full deletes ${that}. Or remove ${that} in Omni, then clear ${that} from this list:`,
          clearCommand,
        ),
      ),
  ];
}

const kindOfOrphan = ({ address }: Orphan) => shownKind(address);

const clearCommand = { commands: [command('state orphans', '--clear', 'ID')] };

/** The others are listed where their ids are needed. */
function orphanRows(orphans: readonly ListedOrphan[], page: Pick<Page, 'showsAll'>): Doc {
  const all = command('state orphans');
  return firstFew(orphans, orphanRow, page, () =>
    indented(2, dim(`and ${grouped(orphans.length - maxListed)} more (\`${all}\` lists all)`)),
  );
}

function orphanRow({ id, name, identifier, address, since, trackedBy }: ListedOrphan): Block {
  const on = onWordsOf(shownKind(address));
  const words = `${quoteText(name)} on ${on} ${identifier}, was ${address}, since ${since}${trackedBy === undefined ? '' : `; ${trackedBy} tracks it`}`;
  return { mark: ['  ', { role: 'warning', of: '!' }, ' '], of: id, below: [indented(2, dim(words))] };
}

/** Reports that were not read back as they were sent, first those of which Omni shows other filters. */
export function notReadBackDoc(rows: readonly NotReadBackRow[], page: Pick<Page, 'showsAll'>): Doc {
  const inOrder = [...rows].sort((a, b) => Number(a.other === undefined) - Number(b.other === undefined));
  return firstFew(
    inOrder,
    ({ address, other, message, hint: way }) =>
      part(
        {
          mark: { role: 'error', of: other === undefined ? '! ' : '!! ' },
          of: { role: 'error', of: `${address} ${other === undefined ? 'was not read back' : 'is stored otherwise'}` },
        },
        messageBlock(message),
        hint(way),
      ),
    page,
    (more) => part(dim(more)),
  );
}

export function unresolvedDoc(unresolved: readonly UnresolvedNote[], page: Pick<Page, 'showsAll'>): Doc {
  const lookedFor = unresolved.filter((note) => note.lookedFor);
  const sentAgain = unresolved.filter((note) => note.sentAgain);
  const otherUnresolved = unresolved.filter((note) => !note.lookedFor && !note.sentAgain);
  const it = ({ length }: typeof unresolved) => (length === 1 ? 'it' : 'them');
  return [
    unresolved.length > 0 &&
      open(
        'Unresolved:',
        `${countOf(unresolved.length, 'change')} of an earlier apply ended before the outcome was known.`,
        part(...firstFew(lookedFor, openRow, page)),
        part(
          lookedFor.length > 0 &&
            `The next ${command('apply')} looks for ${it(lookedFor)} in Omni before anything else, and goes on.`,
        ),
        part(...firstFew(sentAgain, openRow, page)),
        part(sentAgain.length > 0 && `The next ${command('apply')} sends ${it(sentAgain)} again.`),
        // Changes whose outcome an apply cannot find out.
        part(...otherUnresolved.map(openRow)),
        part(...(otherUnresolved.length > 0 ? resolveDoc('ADDRESS') : [])),
      ),
  ];
}

/** Requested deliveries: they concern no plan. */
export function triggerDoc({ unresolved }: Pick<State, 'unresolved'>): Doc {
  const triggered = unresolved.filter(({ action }) => action === 'trigger');
  const [it, address] = triggered.length === 1 ? ['it', triggered[0]?.address] : ['them', 'ADDRESS'];
  return [
    triggered.length > 0 &&
      open(
        'Triggered:',
        `It is not known whether Omni delivered ${it}. Only the next trigger waits for an answer.`,
        part(...triggered.map((each) => warned(`${each.address} (since ${each.since})`))),
        part(
          'Ask a recipient, or look at the deliveries in Omni, then record the answer with one of:',
          commandsFor(String(address), [['--done'], ['--retry']]),
        ),
      ),
  ];
}

function openRow({ address, action, since }: UnresolvedNote): Block {
  return warned(`${address} (${action}, since ${since})`);
}

function warned(words: string): Block {
  return indented(2, { mark: { role: 'warning', of: '! ' }, of: { role: 'warning', of: words } });
}

export function resolveDoc(address: string): Doc {
  return [
    'Check in Omni whether it was carried out, then record the answer with one of:',
    commandsFor(address, [['--id', 'ID'], ['--done'], ['--retry']]),
  ];
}

function commandsFor(address: string, choices: readonly (readonly string[])[]): Block {
  return { commands: choices.map((choice) => command('state resolve', address, ...choice)) };
}

function open(title: string, words: Words, ...of: Doc): Block {
  return section([strong(title), ' ', words], of);
}
