// `almanac validate`: parses and checks every source, or only the named ones.

import { createHash } from 'node:crypto';
import { join } from 'node:path/posix';
import { judgeFindings } from '../../declare/acceptances.ts';
import { judgesRecipients } from '../../declare/inside/recipients-inside.ts';
import type { Loaded } from '../../declare/load/load.ts';
import { refuseWithoutEnvironment } from '../../declare/load/missing-environment.ts';
import { placeFindings } from '../../declare/load/place-findings.ts';
import { unreadSources } from '../../declare/load/sources.ts';
import { unusedLines } from '../../declare/rows/read-permissions.ts';
import { judgesAlone } from '../../declare/rows/rows-of-others.ts';
import { deliveryOf } from '../../model/fields/delivery.ts';
import type { Receiver } from '../../model/fields/receiver.ts';
import type { State } from '../../model/plan/state.ts';
import { kinds } from '../../model/values/address.ts';
import { command, withoutMarks } from '../../model/values/command.ts';
import type { Pointer } from '../../model/values/pointer.ts';
import { countOf, inBackticks, nameSome, shellWord } from '../../model/values/words.ts';
import {
  type Diagnostic,
  type DiagnosticReport,
  type Finding,
  hasErrors,
  type ReportedDiagnostic,
} from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import { judgeIds, type Seen } from '../../plan/judge-ids.ts';
import { declarationFindings, renderDiagnosticsSummary } from '../../report/diagnostics/findings-doc.ts';
import { stateForPlan } from '../../state/current-state.ts';
import type { ValidateFormat } from '../base/command.ts';
import { withSharedPlaces } from '../base/neighbours.ts';
import { withOnlineFindings } from '../base/online-findings.ts';
import { diagnosticsText } from '../base/print-diagnostics.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run, Session } from '../base/run.ts';
import type { ValidateOptions } from './validate-command.ts';
import type { ValidateDocument } from './validate-document.ts';

/** The variables in which CI systems name the folder of the checkout. */
const checkoutFolders = ['GITHUB_WORKSPACE', 'CI_PROJECT_DIR'];

export async function validate(run: Run, options: ValidateOptions, paths: readonly string[]): Promise<number> {
  const { report = [], strict = false } = options;
  await run.checkFiles(report.map(({ file }) => file));
  const session = await withSharedPlaces(run, await run.load({ paths, everywhere: true, ended: 'counts' }));
  const { workspace } = session;
  if (options.tracked) await refuseUntracked(run, session);
  if (options.online) refuseWithoutEnvironment(session.loaded.missingEnvironment);
  const loaded = await withFindingsByState(run, await checkedOnline(run, options, session), {
    isWhole: paths.length === 0,
    isOnline: options.online === true,
  });
  sayNotJudged(run, loaded);
  const unread = paths.length === 0 ? await unreadSources(workspace, loaded.files) : [];
  const unused = paths.length === 0 ? unusedLines(loaded) : [];
  const placed = await placeFindings([...loaded.findings, ...unread, ...unused], loaded);
  const diagnostics = options.online ? session.shown(placed) : placed;
  const open = diagnostics.filter(({ accepted }) => accepted === undefined);
  const count = (severity: string) => open.filter((diagnostic) => diagnostic.severity === severity).length;
  const [errors, warnings, accepted] = [count('error'), count('warning'), diagnostics.length - open.length];
  // A dashboard that Omni did not show never counts as right.
  const isUnread = options.online === true && open.some(({ code }) => code === 'not-read');
  const valid = errors === 0 && !isUnread && !(strict && warnings > 0);
  const summary = {
    files: loaded.files.length,
    resources: loaded.desired.resources.length,
    errors,
    warnings,
    accepted,
  };
  const document: ValidateDocument = { formatVersion: 1, valid, summary, diagnostics };
  const roots = checkoutFolders.flatMap((name) => run.environment(name) || []);
  const of = options.online ? { listedBy: command('validate', ...paths, '--online', '-v') } : declarationFindings;
  const forPrograms = diagnosticReport({
    toolVersion: run.version,
    strict,
    diagnostics,
    files: loaded.files,
    configFile: workspace.configFile,
    folder: workspace.inRepository(roots),
  });
  const openForPrograms = {
    ...forPrograms,
    diagnostics: forPrograms.diagnostics.filter((each) => each.accepted === undefined),
  };
  await run.publish<ValidateFormat>(options, {
    json: document,
    text: (page) => {
      const text = diagnosticsText(diagnostics, loaded, page, of);
      return `${text}${text === '' ? '' : '\n'}${renderDiagnosticsSummary(forPrograms)}.\n`;
    },
    sarif: async () => (await import('../../report/diagnostics/diagnostics-sarif.ts')).renderSarif(forPrograms),
    github: async () =>
      (await import('../../report/diagnostics/diagnostics-ci.ts')).renderGithubAnnotations(openForPrograms),
    gitlab: async () =>
      (await import('../../report/diagnostics/diagnostics-ci.ts')).renderGitlabCodeQuality(openForPrograms),
    junit: async () => (await import('../../report/diagnostics/diagnostics-junit.ts')).renderJunit(openForPrograms),
  });
  return valid ? 0 : 1;
}

/** Refuses files that are read and not tracked: the commit would lack them. A submodule's own commits have its files. Throws Failure refused. */
async function refuseUntracked(run: Run, { workspace, loaded: { read, parts } }: Session): Promise<void> {
  const tracked = await (await run.openCheckout(workspace.root)).tracked();
  if (tracked === undefined)
    throw new Failure('refused', 'Git does not tell which files it tracks.', {
      hint: 'Run it in a clone of the repository, where git is installed.',
    });
  const isOfSubmodule = (path: string) => parts.submodules.some((each) => path.startsWith(each.path));
  const lacking = read.filter((path) => !tracked.has(path) && !isOfSubmodule(path));
  if (lacking.length === 0) return;
  const are = lacking.length === 1 ? 'is read, and git does not track it' : 'are read, and git does not track them';
  throw new Failure(
    'refused',
    `${nameSome(lacking.map(inBackticks))} ${are}: the commit would lack what is declared.`,
    {
      hint: `Run \`git add -- ${lacking.map(shellWord).join(' ')}\`.`,
    },
  );
}

type Checked = Awaited<ReturnType<typeof withOnlineFindings>>;

/** Only Omni knows who is in a user group. One with a line in the table of permissions is left to that. */
function sayNotJudged(run: Run, { config, desired, judgedGroups, rows }: Checked): void {
  if (config === undefined || !judgesRecipients(config)) return;
  const named = desired.resources.flatMap((resource) => {
    const groups = deliveryOf(resource.kind, declaredAttributes(resource)).to.filter(({ kind }) => kind === 'group');
    const isLeft = (group: Receiver) => judgesAlone(group, resource, rows);
    return groups.flatMap((group) => (isLeft(group) ? [] : [group.shown]));
  });
  const groups = new Set(named.filter((group) => !judgedGroups?.has(group)));
  if (groups.size === 0) return;
  const count = countOf(groups.size, 'user group was', 'user groups were');
  run.say(`${count} not judged by \`recipient-not-inside\`: only Omni knows who is in a group.`, run.stderr);
}

async function checkedOnline(run: Run, options: ValidateOptions, { loaded, shown }: Session): Promise<Checked> {
  if (!options.online || loaded.config === undefined) return loaded;
  return run.asking({ loaded, reporter: progressReporter(run, shown) }, (service) =>
    withOnlineFindings(run, options, loaded, service, async () => (await stateIfReadable(run, loaded))?.state),
  );
}

/** Checking declarations needs no access to the state; if there is some, it says which groups were meant. */
async function stateIfReadable(run: Run, loaded: Loaded): Promise<{ readonly state: State | undefined } | undefined> {
  try {
    return { state: (await stateForPlan(await run.store({ loaded }))).state };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return undefined;
  }
}

/** True for an id that `--online` looks up: it says itself which is not there. */
const isLookedUp = ({ kind }: Resource, at: Pointer) =>
  at === '/owner' || (kinds[kind].life === 'recurring' && (at === '/modelId' || at === '/branchId'));
const hasNotRead = ({ code, address }: Finding, of: string) => code === 'not-read' && address === of;

/** Adds findings that the plan would report, from a local state: checking declarations asks no other machine. */
async function withFindingsByState(
  run: Run,
  loaded: Checked,
  { isWhole, isOnline }: { readonly isWhole: boolean; readonly isOnline: boolean },
): Promise<Checked> {
  const { config, desired, rows, findings } = loaded;
  if (config === undefined) return loaded;
  const isJudged = (resource: Resource, at: Pointer) =>
    isOnline && isLookedUp(resource, at) && !findings.some((each) => hasNotRead(each, resource.address));
  const idsBy = (state: Seen['state']) => judgeIds(desired, { state, isJudged });
  const asksRows = rows !== undefined && isWhole && !hasErrors(findings) && config.state.backend === 'local';
  const asksMoves = isWhole && desired.moves.length > 0 && config.state.backend === 'local';
  if (!asksRows && !asksMoves && idsBy('unread').length === 0) return loaded;
  const read = config.state.backend === 'local' ? await stateIfReadable(run, loaded) : undefined;
  const state = read?.state;
  const ofMoves = state === undefined || !asksMoves ? [] : await movesOfNothing(desired, state);
  const ofIds = judgeFindings([...idsBy(read === undefined ? 'unread' : state), ...ofMoves], loaded);
  if (state === undefined || !asksRows) return { ...loaded, findings: [...findings, ...ofIds] };
  const [{ makeInputs }, { planOf }, { rowsByState }] = await Promise.all([
    import('../../plan/inputs.ts'),
    import('../../plan/proposal.ts'),
    import('../../plan/rows-by-state.ts'),
  ]);
  const inputs = await makeInputs(loaded, state, run);
  const found = rowsByState(planOf(inputs).value.steps, inputs);
  return { ...loaded, findings: [...findings, ...ofIds, ...judgeFindings(found, loaded)] };
}

// Diagnostics for other programs. Paths start at the repository's root, as those programs expect, and fingerprints let
// them tell old faults from new ones.

interface ReportSource {
  readonly toolVersion: string;
  readonly strict: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Relative to the workspace, as in the diagnostics. */
  readonly files: readonly string[];
  readonly configFile: string | undefined;
  /** The folder of the workspace within its repository; empty at the root. */
  readonly folder: string;
}

export function diagnosticReport(source: ReportSource): DiagnosticReport {
  const { toolVersion, strict, folder } = source;
  const inRepository = (file: string) => join(folder, file);
  const placed = source.diagnostics.map(({ related, ...diagnostic }) => ({
    ...diagnostic,
    file: diagnostic.file && inRepository(diagnostic.file),
    related: related?.map((each) => ({ ...each, file: inRepository(each.file) })),
  }));
  return {
    toolVersion,
    strict,
    diagnostics: fingerprinted(placed),
    files: source.files.map(inRepository),
    home: inRepository(source.configFile ?? 'almanac.yaml'),
  };
}

/** Equal diagnostics for the same place are numbered, so that each gets its own fingerprint. */
function fingerprinted(diagnostics: readonly Diagnostic[]): readonly ReportedDiagnostic[] {
  const turns = new Map<string, number>();
  return diagnostics.map((diagnostic) => {
    const { file, code, address, path, message } = diagnostic;
    const fault = JSON.stringify([file, code, address, path, withoutLines(withoutMarks(message))]);
    const turn = (turns.get(fault) ?? 0) + 1;
    turns.set(fault, turn);
    const fingerprint = createHash('sha256').update(`${fault}\n${turn}`).digest('hex').slice(0, 40);
    return { ...diagnostic, fingerprint };
  });
}

/** Messages contain places, which move: `schedules/a.yaml:12`, `line 3, column 4`. */
function withoutLines(message: string): string {
  return message.replace(/(\.ya?ml):\d+(?::\d+)?/g, '$1').replace(/\b(lines?|columns?) \d+/gi, '$1');
}

/** The entries of `moved` from an address that nothing has. */
async function movesOfNothing(desired: Loaded['desired'], { resources }: State): Promise<readonly Finding[]> {
  const { followMoves } = await import('../../plan/entries.ts');
  return followMoves(desired, new Map(Object.entries(resources))).neverMoved;
}
