// `almanac apply`: the plan's changes, after a confirmation.

import { apply as applyPlan } from '../../apply/apply.ts';
import type { AppliedPlan, ApplyPorts, ApplyRequest } from '../../apply/apply-request.ts';
import { otherRows } from '../../apply/read-back.ts';
import { judgeFindings } from '../../declare/acceptances.ts';
import { placeFindings } from '../../declare/load/place-findings.ts';
import { invalidWorkspace, refuseErrors } from '../../declare/load/refuse-errors.ts';
import type { Workspace } from '../../declare/workspace.ts';
import type { ApplyDocument, ApplyResult, FinishedEntry, JobEnd } from '../../model/plan/apply-outcome.ts';
import type { State } from '../../model/plan/state.ts';
import { allowancesOf, allowing } from '../../model/values/allowances.ts';
import { once } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { type JsonObject, stringIn } from '../../model/values/json.ts';
import type { Refusal } from '../../model/values/refusal.ts';
import { digestForm } from '../../model/values/schema.ts';
import { countList, countOf, nameSome } from '../../model/values/words.ts';
import { type Finding, hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { knownAddresses } from '../../plan/match.ts';
import { checkEnvironment, digestsIn, readSavedPlan } from '../../plan/saved-plan.ts';
import { choiceAmong, requireMatches } from '../../plan/select.ts';
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
} from '../../report/doc.ts';
import { notReadBackDoc, orphanDoc, resolveDoc } from '../../report/plan/open-report.ts';
import { printText } from '../../report/print-text.ts';
import { foldRefusals, refusalsDoc } from '../../report/refusals-doc.ts';
import { renderJson } from '../../report/text/render-json.ts';
import type { Page } from '../../report/text/theme.ts';
import type { StateStore } from '../../state/state-store.ts';
import { standingOf } from '../base/checkout-position.ts';
import { type PlanShape, refreshOf } from '../base/command.ts';
import { isConfirmed, noTerminal } from '../base/confirm.ts';
import { readNeighbours, withSharedPlaces } from '../base/neighbours.ts';
import { openSavedPlan } from '../base/open-saved-plan.ts';
import { diagnosticsText } from '../base/print-diagnostics.ts';
import { progressReporter, statusRoles, statusWords, withoutIds } from '../base/progress.ts';
import { printPlan, shownPlan } from '../base/publish-plan.ts';
import type { Run, Session } from '../base/run.ts';
import { isCi } from '../base/world.ts';
import type { ApplyOptions } from './apply-command.ts';
import { checkCanFollow, followJobs, hasSucceeded } from './follow-jobs.ts';

export async function apply(run: Run, options: ApplyOptions, planFile: string | undefined): Promise<number> {
  const { autoApprove, format, wait, allow, maxAttempts, maxWait } = options;
  const session = await withSharedPlaces(run, await run.load());
  const { loaded, shown, workspace } = session;
  const store = await run.store(session, 'changes');
  const reviewed = await openReviewed(run, workspace, planFile, options);
  if (reviewed.saved !== undefined) checkEnvironment(reviewed.saved, run.options.env);
  if (!autoApprove && run.asker() === undefined) {
    if (reviewed.saved === undefined) await refuseMistakes(run, options, session, store);
    throw needsApproval(reviewed);
  }
  await warnIfNotKept(run, options, session);
  if (wait !== undefined) checkCanFollow(loaded.config);
  const asked = {
    loaded,
    reporter: progressReporter(run, shown),
    limits: { allowHttp: allow?.http === true, maxAttempts, maxWait },
  };
  const applied = await run.asking(asked, async (service, reporter) => {
    const confirm: ApplyPorts['confirm'] = async ({ document, cost, mayBeSecond, untold }) => {
      if (mayBeSecond && run.asker() === undefined) throw unknownWhetherFirst();
      const isAsked = mayBeSecond || !autoApprove;
      // Nobody can agree to a plan that is not shown: when stdout carries the document, the plan goes to stderr.
      const output = format === 'text' ? run.stdout : run.stderr;
      if (format === 'text' || isAsked)
        await printPlan(run, { document: shownPlan(document, shown), source: loaded, cost }, output);
      else if (cost !== undefined) reporter.emit({ type: 'expected', ...cost });
      if (run.options.verbose) {
        // Loaded only where rows are divided.
        const { untoldWords } = await import('../../declare/rows/on-dashboards.ts');
        for (const words of untoldWords(untold)) run.say(words, run.stderr);
      }
      if (mayBeSecond) reporter.emit({ type: 'note', message: mayBeSecondWords });
      return !isAsked || isConfirmed(run, `\nApply these changes to ${document.baseUrl}?`);
    };
    const checkout = {
      head: async () => (await run.openCheckout(workspace.root)).head(),
      standing: (state: State | undefined) => standingOf(run, session, state),
    };
    const others = once(() => readNeighbours(run, session, allow));
    const ports = { ...run, store, service, reporter, confirm, checkout, others };
    const request = { ...options, ...reviewed, loaded, targets: options.target, refresh: refreshOf(options) };
    const done = await applyPlan(request, ports);
    if (wait === undefined || done.document === undefined) return done;
    return { ...done, document: await followJobs(done.document, { ...ports, timeout: wait }) };
  });
  return reportApplied(run, { ...options, ofSaved: reviewed.saved !== undefined }, session, applied);
}

const mayBeSecondWords =
  'The state tracks no schedule, and the token is a personal one, which does not show the schedules of other members. If these declarations were applied before, everything that is created now will exist twice.';

function unknownWhetherFirst(): Failure {
  return new Failure('refused', mayBeSecondWords, {
    hint: `If the declarations were never applied, use --first-apply; --auto-approve does not answer this question. Otherwise find the state, or run \`${command('import')}\` with an organization key, which shows all schedules. Nothing was created.`,
  });
}

/** Refuses mistakes in the files and the selectors first: a terminal would not end them. Throws Failure usage and invalid-workspace. */
async function refuseMistakes(
  run: Run,
  { target = [], replace = [] }: ApplyOptions,
  { loaded }: Session,
  store: StateStore,
): Promise<void> {
  const selectors = [...target, ...replace];
  if (selectors.length === 0) return refuseErrors(loaded, 'nothing was applied');
  const state = await run.readState(store, loaded.config);
  requireMatches(selectors, choiceAmong(knownAddresses(loaded.desired, state), { loaded, state }));
}

function needsApproval({ saved, expect, expectChanges }: Partial<ApplyRequest>): Error {
  const isReviewed = (saved ?? expect ?? expectChanges) !== undefined;
  return noTerminal(
    'nothing was applied',
    isReviewed
      ? 'Use --auto-approve. It applies only what was reviewed.'
      : 'Use --auto-approve. To apply only what was reviewed, add --expect DIGEST or --expect-changes FILE, or apply a saved plan.',
  );
}

/** Opens the plan that the command line names. Throws Failure usage for unreadable files, and as openSavedPlan does. */
async function openReviewed(
  run: Run,
  workspace: Workspace,
  planFile: string | undefined,
  { expect, expectChanges, ...options }: ApplyOptions,
) {
  if (planFile !== undefined) refuseShape(options);
  return {
    saved: planFile === undefined ? undefined : await openSavedPlan(run, workspace, planFile),
    expect,
    expectChanges: expectChanges === undefined ? undefined : await readReviewed(workspace, expectChanges),
  };
}

/** Reads a list of digests, or a saved plan, which has one for each of its changes. */
async function readReviewed(workspace: Workspace, file: string): Promise<ReadonlySet<string>> {
  if (!(await workspace.isTracked(file))) {
    const text = await workspace.readOutside(file);
    return text.startsWith('{') ? digestsIn(readSavedPlan(text, file)) : parseDigests(text, file);
  }
  throw new Failure('refused', `${file} is tracked by git, so anybody who can commit may have written it.`, {
    hint: `Remove it from git (\`git rm --cached ${file}\`), and write it where the apply runs.`,
  });
}

const isDigest = new RegExp(digestForm.pattern);

/**
 * The digests of a list, one per line; blank lines are skipped. Listed changes may be applied, so any other line is an
 * error with its place. Throws Failure usage.
 */
export function parseDigests(text: string, name: string): ReadonlySet<string> {
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || isDigest.test(line)) continue;
    throw new Failure('usage', `${name}:${index + 1}:${columnOf(line)}: This line is not the digest of a change.`, {
      hint: `Write one digest a line: 64 hexadecimal digits in lower case, as ${command('plan', '--format', 'json')} prints them for each change.`,
    });
  }
  return new Set(lines.filter((line) => line.trim() !== ''));
}

/** The column, from 1, of the first character that is wrong or missing. */
function columnOf(line: string): number {
  const [digits = ''] = /^[0-9a-f]{0,64}/.exec(line) ?? [];
  return digits.length + 1;
}

/** The shape of a saved plan was decided when it was made. */
function refuseShape({ target, replace, allow, refresh, refreshOnly }: PlanShape): void {
  const given = {
    '--target': target,
    '--replace': replace,
    ...Object.fromEntries(allowancesOf('plan').map((name) => [allowing(name), allow?.[name]])),
    '--refresh': refresh,
    '--refresh-only': refreshOnly,
  };
  const name = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (name === undefined) return;
  throw new Failure('usage', `A saved plan is applied as it is, so ${name} cannot change it.`, {
    hint: `Run ${command('plan')} with ${name}, and save that plan.`,
  });
}

/**
 * Warns that a CI job may lose the state, on stderr at the start, so that it is there whatever the report says. Throws
 * Failure invalid-workspace if `checks` makes it an error.
 */
async function warnIfNotKept(run: Run, options: ApplyOptions, session: Session): Promise<void> {
  const file = await run.stateFile(session);
  const finding = file && (await stateNotKept(file, session.workspace, run.environment));
  if (finding === undefined) return;
  const { loaded } = session;
  const findings = judgeFindings([finding], loaded);
  if (hasErrors(findings))
    throw invalidWorkspace('The state would not be kept, so nothing was applied.', findings, loaded);
  const diagnostics = await placeFindings(findings, loaded);
  if (options.quiet || diagnostics.length === 0) return;
  run.stderr.write(`${diagnosticsText(diagnostics, loaded, run.page(run.stderr))}\n`);
}

/** `file` is the path of a state in a file. Undefined if nothing is wrong. */
async function stateNotKept(
  file: { readonly path: string; readonly name: string },
  workspace: Workspace,
  environment: Run['environment'],
): Promise<Finding | undefined> {
  const repository = isCi(environment) ? workspace.repository() : undefined;
  if (repository === undefined) return undefined;
  const why = await repository.statusOf(file.path).then(
    (status) => (status === 'untracked' ? `git does not track ${file.name}.` : undefined),
    (error: unknown) => (error instanceof Failure ? error.message : Promise.reject(error)),
  );
  if (why === undefined) return undefined;
  return {
    code: 'state-not-kept',
    message: `${why} If no later step of this job keeps it, the next run has no state and creates everything a second time.`,
    hint: 'Commit and push it after the apply, or keep the state in a place that many machines share: `state` in almanac.yaml.',
  };
}

/** Prints the outcome; returns the exit code. Throws Failure refused or interrupted if the plan was declined. */
async function reportApplied(
  run: Run,
  options: ApplyOptions & { readonly ofSaved: boolean },
  { loaded, shown }: Session,
  applied: AppliedPlan,
): Promise<number> {
  const { document, plan, state, finished = [] } = applied;
  if (document === undefined) {
    throw run.signal.aborted
      ? new Failure('interrupted', 'Interrupted; nothing was applied.')
      : new Failure('refused', 'The plan was not confirmed; nothing was applied.', {
          hint: 'To apply it, answer yes in full.',
        });
  }
  const { notReadBack = [] } = document;
  if (options.format === 'text' && plan.changes.length === 0)
    run.stdout.write(renderNotReadBack(shown(document), run.page()));
  if (options.format === 'json') run.stdout.data(renderJson(shown(document)));
  else if (plan.changes.length === 0 && options.ofSaved) run.stdout.write('The saved plan is already applied.\n');
  else if (plan.changes.length === 0) {
    const { refreshOnly } = options;
    await printPlan(run, { document: shownPlan(plan, shown), source: loaded, refreshOnly });
  } else {
    const attributesOf = (address: string): JsonObject | undefined => state?.resources[address]?.attributes;
    run.stdout.write(`\n${renderApplySummary(shown(document), { ...run.page(), attributesOf, finished })}`);
  }
  const { failed, skipped, unknown } = document.summary;
  const isDone =
    failed + skipped + unknown + notReadBack.length === 0 && document.results.every(({ job }) => hasSucceeded(job));
  return isDone ? 0 : 1;
}

// The outcome of an apply, for a terminal: the counts, the failures and what is left to do.

interface ApplySummaryOptions extends Page {
  /** A resource's declared attributes, which name the role of an S3 delivery. */
  readonly attributesOf: (address: string) => JsonObject | undefined;
  readonly finished: readonly FinishedEntry[];
}

/** Ends with a newline. */
export function renderApplySummary(document: ApplyDocument, page: ApplySummaryOptions): string {
  const failed = new Set(document.results.flatMap(({ address, status }) => (status === 'failed' ? address : [])));
  const notSaid = (document.notReadBack ?? []).filter(({ address }) => !failed.has(address));
  return printText(
    [
      ...notReadBackDoc(notSaid, page),
      ...troubleParts(document, page),
      chats(document),
      ...document.results.flatMap(({ address, job }) => (job === undefined ? [] : [jobEndPart(address, job)])),
      ...trustPolicyDoc(document.results, page.attributesOf),
      finishedPart(page),
      ...orphanDoc(document.orphans, page),
      part(counts(document), openAfter(document)),
    ],
    page,
  );
}

/** The lines before the plan of an apply that has nothing else to do; empty if everything was read back. */
function renderNotReadBack(document: ApplyDocument, page: Page): string {
  const { notReadBack = [] } = document;
  return notReadBack.length === 0 ? '' : `${printText(notReadBackDoc(notReadBack, page), page)}\n`;
}

/** `Applied 3 changes, 1 failed, 1 skipped.` */
function counts({ summary }: ApplyDocument): Words {
  const words = countList([
    [summary.failed, 'failed'],
    [summary.unknown, 'with an unknown outcome'],
    [summary.skipped, 'skipped'],
  ]);
  const of = `Applied ${countOf(summary.applied, 'change')}${words === '' ? '' : `, ${words}`}.`;
  return { role: summary.failed + summary.unknown === 0 ? 'strong' : 'error', of };
}

/** The next step after Ctrl-C, or if Omni no longer answers. A failed change has its own hint. */
function openAfter({ results }: ApplyDocument): Block {
  const { length: open } = results.filter(({ error }) => error?.code === 'interrupted');
  if (open > 0) return `${countOf(open, 'change is', 'changes are')} open: run \`${command('apply')}\` again.`;
  const { length: unstarted } = results.filter(
    ({ status, error }) => status === 'skipped' && error?.code === 'api-unreachable',
  );
  const words = countOf(unstarted, 'change was', 'changes were');
  return unstarted > 0 && `${words} not started: run \`${command('apply')}\` again when Omni answers.`;
}

/** Lists failed, unknown and skipped changes by message, first those that may show somebody different rows. */
function troubleParts({ results }: ApplyDocument, page: Page): Doc {
  return (['failed', 'unknown', 'skipped'] as const).flatMap((status) => {
    const all = results.filter((each) => each.status === status);
    const ended = [...all.filter(showsOthers), ...all.filter((each) => !showsOthers(each))];
    const refusals = ended.map((each) => ({
      about: [each],
      message: each.error?.message ?? '',
      hint: each.error?.hint,
    }));
    return foldRefusals(refusals, withoutIds).map((each) => troublePart(page, status, each));
  });
}

function showsOthers({ error }: ApplyResult): boolean {
  return error?.code === otherRows;
}

/** The places of entries that can be removed now. */
function finishedPart({ finished, showsAll }: ApplySummaryOptions): Block {
  const taken = countOf(finished.length, 'entry has', 'entries have');
  const rows = firstFew(
    finished,
    ({ section, file, line }) => indented(2, `${file}:${line} (${section})`),
    { showsAll },
    (more) => indented(2, dim(more)),
  );
  return (
    finished.length > 0 && part(`${taken} taken effect and can be removed with ${command('fmt', '--prune')}:`, ...rows)
  );
}

function troublePart(page: Page, status: keyof typeof statusRoles, refusal: Refusal<ApplyResult>): Block {
  const role = statusRoles[status];
  const rowOf = (result: ApplyResult): Block => ({
    mark: { role, of: showsOthers(result) ? '!! ' : '! ' },
    of: { role, of: `${result.address} (${result.action}) ${statusWords[status]}` },
  });
  const [only, ...others] = refusal.about;
  const isOpen = status === 'unknown' && refusal.hint === undefined;
  return part(
    ...refusalsDoc([refusal], (about) => firstFew(about, rowOf, page, (more) => indented(2, dim(more))), page),
    indented(2, ...(isOpen ? resolveDoc(others.length === 0 ? (only?.address ?? '') : 'ADDRESS') : [])),
  );
}

/** The answer of a job, or the reason why there is none. */
function jobEndPart(address: string, end: JobEnd): Block {
  const { state, resultSummary, error } = end;
  const title = state === null ? 'was not followed to its end' : `is ${state}`;
  return part(
    { role: state === 'COMPLETE' ? 'strong' : 'error', of: `${address} ${title}:` },
    messageBlock(resultSummary),
    messageBlock(error?.message),
    hint(hintAfter(address, state)),
  );
}

function hintAfter(address: string, state: JobEnd['state']): string | undefined {
  if (state === null) return `Run \`${command('ai status', address)}\` to see its progress.`;
  if (state === 'COMPLETE') return undefined;
  return `The next apply does not run it again. To repeat it unchanged, run \`${command('state rm', address)}\`, then apply.`;
}

/** Links to the answers of AI jobs. */
function chats({ results }: ApplyDocument): Block {
  const rows = results.flatMap(({ address, outputs }) => {
    const url = outputs?.['omniChatUrl'];
    return typeof url === 'string' ? [indented(2, address), indented(4, url)] : [];
  });
  return rows.length > 0 && section(strong('AI jobs run here:'), rows);
}

/**
 * A step left to do after a first delivery to S3: the role that writes to the bucket must trust Omni's. The service
 * names the role to trust only in its answer to the create.
 */
interface Trust {
  readonly role: string;
  readonly deliverer: string;
  readonly externalId: string;
  readonly addresses: string[];
}

/** A part for each role that has to trust someone. */
function trustPolicyDoc(
  results: readonly ApplyResult[],
  attributesOf: (address: string) => JsonObject | undefined,
): Doc {
  const trusts = new Map<string, Trust>();
  for (const { address, outputs } of results) {
    const [deliverer, externalId] = [stringIn(outputs?.['delivererRoleArn']), stringIn(outputs?.['externalId'])];
    if (deliverer === undefined || externalId === undefined) continue;
    const role = stringIn(attributesOf(address)?.['roleArn']) ?? `the role of ${address}`;
    const key = JSON.stringify([role, deliverer, externalId]);
    const trust = trusts.get(key) ?? { role, deliverer, externalId, addresses: [] };
    trust.addresses.push(address);
    trusts.set(key, trust);
  }
  return [...trusts.values()].map(trustPart);
}

function trustPart({ role, deliverer, externalId, addresses }: Trust): Block {
  const statement = {
    Effect: 'Allow',
    Principal: { AWS: deliverer },
    Action: 'sts:AssumeRole',
    Condition: { StringEquals: { 'sts:ExternalId': externalId } },
  };
  return part(
    strong(`To do: let Omni assume ${role}`),
    indented(2, `${nameSome(addresses)} can deliver once the trust policy of that role holds this statement:`),
    part({ verbatim: renderJson(statement).trimEnd().split('\n') }),
  );
}
