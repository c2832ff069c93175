// `almanac drift`: differences in Omni from what was applied, for a nightly job. Changes nothing but, with --write, the
// source files. Untracked schedules are named, but are not drift.

import { judgedAddresses } from '../../declare/rows/judge-rows.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import type { DriftDocument } from '../../model/plan/drift-document.ts';
import { isSeen } from '../../model/plan/observation.ts';
import type { StateResource } from '../../model/plan/state.ts';
import { type Address, kindAt } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { documentOf, type Proposal } from '../../plan/proposal.ts';
import { lacksState, withoutState } from '../../plan/untracked.ts';
import { unappliedIn } from '../base/checkout-position.ts';
import { exitCodeOf } from '../base/exit-code.ts';
import { planDiagnosticsText } from '../base/print-diagnostics.ts';
import { reportDiagnostics } from '../base/publish-plan.ts';
import { refuseWords } from '../base/refuse-words.ts';
import { type RequestedProposal, requestProposal } from '../base/request-proposal.ts';
import type { Run } from '../base/run.ts';
import type { DriftOptions } from './drift-command.ts';
import { renderDriftMarkdown, renderDriftText } from './drift-report.ts';
import { errorsIn, findingsOfDrift, goneIn } from './drift-words.ts';

export async function drift(run: Run, options: DriftOptions, words: readonly string[]): Promise<number> {
  const { format, report = [], deep, untracked, unapplied, write } = options;
  await refuseWords(run, words, {
    name: 'drift',
    ...(write === undefined
      ? { selecting: ['--target'], otherwise: '`--target ADDRESS` chooses what is checked.' }
      : {
          lead: 'Selectors follow `--write` directly:',
          selecting: ['--deep', '--write'],
          otherwise: 'Selectors follow `--write` directly.',
        }),
  });
  await run.checkFiles(report.map(({ file }) => file));
  // A value that another environment shares is not changed for this one alone.
  const session = await run.load({ everywhere: write !== undefined });
  const refresh = { depth: deep ? 'deep' : 'list', only: true } as const;
  const written = Array.isArray(write) ? write : undefined;
  const judgesUntracked = deep === true && untracked === true;
  const asked = { ...options, written, judgesPeople: true, judgesUntracked };
  const proposal = await requestProposal(run, asked, session, { refresh });
  const accepted =
    write === undefined ? undefined : await (await import('./write-drift.ts')).writeDrift(run, { session, proposal });
  // Nobody approves the declarations by this report, so all of it may be masked.
  const { alsoReadBy = [], ...edits } = accepted ?? {};
  const { inputs, selection } = proposal;
  const notApplied = unapplied ? await unappliedIn(run, session, inputs, selection.targets) : undefined;
  const found = await driftDocumentOf(proposal, untracked === true);
  const document = session.shown({
    ...found,
    ...(notApplied === undefined ? {} : { unapplied: notApplied }),
    ...edits,
  });
  const source = session.loaded;
  const notRead = notReadIn(document);
  const { untrackedNotJudged = 0 } = document;
  const context = {
    unseenCount: unseenIn(proposal),
    isAllRead: notRead.length === 0,
    untrackedCount: untracked ? 0 : (proposal.untracked?.schedules.length ?? 0),
    alsoReadBy,
    isDeep: deep === true,
    needsForce: document.diagnostics.some((finding) => finding.code === 'gives-up-many'),
  };
  const of = findingsOfDrift(document, context);
  if (format !== 'json') reportDiagnostics(run, of, { document, source });
  await run.publish<typeof format>(options, {
    json: document,
    markdown: ({ wording }) => renderDriftMarkdown(document, { ...context, wording }),
    text: (page, isFile) => {
      // A file begins with the diagnostics; otherwise they are on stderr.
      const said = isFile ? planDiagnosticsText(document, of, source, page) : '';
      return `${said}${said === '' ? '' : '\n'}${renderDriftText(document, page, context)}`;
    },
  });
  const { foundNone } = document;
  const { merged = [], notTold } = document.unapplied ?? {};
  const { rows } = source;
  const moved = new Map(source.desired.moves.map(({ from, to }) => [from, to]));
  const judged =
    rows === undefined || !deep ? new Set<Address>() : judgedAddresses(source.desired.resources, rows.rules);
  const isIncomplete =
    notRead.some((address) => judged.has(moved.get(address) ?? address)) ||
    untrackedNotJudged > 0 ||
    notTold !== undefined ||
    foundNone === true;
  return exitCodeOf({
    isWrong:
      (document.notWritten ?? document.drift).length > 0 ||
      goneIn(document).length > 0 ||
      errorsIn(document) > 0 ||
      merged.length > 0,
    isOpen: isIncomplete || lacksState(document, session.loaded),
  });
}

/** The resources of which Omni did not show something, unless their declarations accept it. */
function notReadIn({ diagnostics }: DriftDocument): readonly Address[] {
  return diagnostics.flatMap(({ code, accepted, address, concerns = [] }) =>
    code === 'not-read' && accepted === undefined ? [...(address === undefined ? [] : [address]), ...concerns] : [],
  );
}

/** The number of resources that Omni did not show. If only the owner is unknown, the rest was compared. */
function unseenIn({ observation: seen }: Proposal): number {
  return (seen?.findings ?? []).filter(
    ({ code, address }) => code === 'not-read' && address !== undefined && !isSeen(seen?.observed.get(address)),
  ).length;
}

/** The applied fields that Omni shows in no answer, in the order of their tables. */
function neverShownIn(looked: readonly (readonly [Address, StateResource])[]): readonly string[] {
  const applied = groupBy(looked, ([address]) => kindAt(address));
  const names = [...applied].flatMap(([kind, resources]) =>
    Object.entries(fieldsOf[kind]).flatMap(([name, { read, sent }]) =>
      read === 'never' && sent !== 'never' && resources.some(([, { attributes }]) => attributes[name] !== undefined)
        ? [name]
        : [],
    ),
  );
  return [...new Set(names)];
}

async function driftDocumentOf(proposal: RequestedProposal, listsUntracked: boolean): Promise<DriftDocument> {
  const { untracked, agreed, observation: seen, seesAll = false, inputs, untrackedRows } = proposal;
  const { schedules = [], ignored = 0, probes = 0, trackedBy = [] } = untracked ?? {};
  const { receivers = new Map<string, readonly string[]>(), notJudged = 0 } = untrackedRows ?? {};
  const looked = Object.entries(inputs.state?.resources ?? {}).filter(([address]) => seen?.observed.has(address));
  const leftUnread = looked.filter(([, { unread = [] }]) => unread.length > 0).length;
  const neverShown = proposal.selection.refresh?.depth === 'deep' ? neverShownIn(looked) : [];
  const { detailsNotCompared = 0, secretsNotCompared = 0, filterSpellings = [] } = seen ?? {};
  return {
    ...(await documentOf(proposal)),
    ...(inputs.state === undefined
      ? {
          noState: withoutState(inputs.loaded, {
            listed: seen?.listed.schedule,
            seesAll,
            neighbours: inputs.neighbours,
          }),
        }
      : {}),
    ...(seen?.foundNone ? { foundNone: true } : {}),
    detailsNotCompared,
    ...(secretsNotCompared === 0 ? {} : { secretsNotCompared }),
    ...(leftUnread === 0 ? {} : { leftUnread }),
    ...(neverShown.length === 0 ? {} : { neverShown }),
    ...(filterSpellings.length === 0 ? {} : { filterSpellings }),
    ...(agreed.length === 0 ? {} : { asDeclared: agreed }),
    ...(listsUntracked ? { untracked: schedules.map((each) => ({ ...each, receivers: receivers.get(each.id) })) } : {}),
    ...(notJudged === 0 ? {} : { untrackedNotJudged: notJudged }),
    ...(ignored === 0 ? {} : { ignored }),
    ...(probes === 0 ? {} : { probes }),
    ...(trackedBy.length === 0 ? {} : { trackedBy }),
  };
}
