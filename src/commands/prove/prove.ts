// `almanac prove [SELECTOR...]`: tests whether customers may see the rows of others. It renders their reports, and
// again with a value that nobody has. Nobody receives anything, and no rendering is kept.

import { createHash } from 'node:crypto';
import type { JudgedRows } from '../../declare/rows/rows-of-others.ts';
import { nameIn } from '../../model/plan/names.ts';
import type { State } from '../../model/plan/state.ts';
import { type Address, deliversDashboard } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { utcDay } from '../../model/values/day.ts';
import { codeList, countOf } from '../../model/values/words.ts';
import { Failure, statusOf } from '../../model/workspace/failure.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { openRights, requestsForRights } from '../../observe/downloads/rights.ts';
import { leavesOpen } from '../../observe/sending.ts';
import { atHalfOfTheRate, requireFullOperations, type Service, secondsUntilSent } from '../../observe/service.ts';
import { makeInputs } from '../../plan/inputs.ts';
import { knownAddresses } from '../../plan/match.ts';
import { planOf } from '../../plan/proposal.ts';
import { choiceAmong, resolve } from '../../plan/select.ts';
import { duration } from '../../report/text/words.ts';
import { requireConfirmed } from '../base/confirm.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run } from '../base/run.ts';
import {
  chooseRenderings,
  type Group,
  hasOnePage,
  type LeftOut,
  nobodyOf,
  type Renderings,
  rendersOf,
} from './choose-renderings.ts';
import { makeProof, proofCode } from './make-proof.ts';
import { renderProofMarkdown, renderProofText } from './proof-text.ts';
import type { ProveOptions } from './prove-command.ts';
import { openReasons } from './prove-document.ts';
import { type ProvedGroups, proveGroups } from './prove-groups.ts';
import { openTable } from './read-sheet.ts';
import type { ProofRun } from './render-files.ts';

type DeclaredWorkspace = Awaited<ReturnType<Run['declared']>>;

/** The most requests that are sent without confirmation if there is no terminal. */
const maxUnasked = 500;

export async function prove(run: Run, options: ProveOptions, selectors: readonly string[]): Promise<number> {
  const session = await run.declared('nothing was sent');
  const { loaded, shown, workspace } = session;
  const allowed = allowedReasons(options);
  requireFullOperations(loaded.config, 'to render a dashboard');
  const rows = rowsOf(session);
  const state = await run.readState(await run.store(session), loaded.config);
  const changed = await changedIn(run, session, state);
  const idOf = (address: Address) => state?.resources[address]?.id;
  const renderings = chooseRenderings(selected(session, state, selectors), rows.rules, {
    today: utcDay(run.clock.now()),
    isTracked: (address) => idOf(address) !== undefined,
    isApplied: (address) => idOf(address) !== undefined && !changed.has(address),
  });
  const halved = { ...loaded, config: atHalfOfTheRate(loaded.config) };
  const reporter = progressReporter(run, shown);
  const at = new Date(run.clock.now()).toISOString();
  return run.asking({ loaded: halved, reporter }, async (service) => {
    const { permissions } = rows.rules;
    const tableValues = openTable(permissions.values());
    const proving: ProofRun = {
      service,
      clock: run.clock,
      rightsOf: openRights(service),
      idOf,
      nobody: nobodyOf(run.randomness.uuid(), loaded),
      table: tableValues,
      shared: new Set(loaded.config.safety.rows?.shared),
      each: options.each === true,
      most: options.most,
      onDashboard: (done, total, name) => reporter.emit({ type: 'read', done, total, what: 'dashboards', name }),
    };
    const { groups, queriesOf } = await proveAll(run, options, renderings, proving);
    const ended = await Promise.all(renderings.ended.map((resource) => whyEnded(resource, proving)));
    const table = loaded.fileNamed(permissions.file)?.text ?? '';
    const proof = makeProof({
      at,
      organization: loaded.config.api.baseUrl ?? '',
      commit: await (await run.openCheckout(workspace.root)).head(),
      table: { file: permissions.file, digest: createHash('sha256').update(table).digest('hex') },
      leftOut: [...renderings.leftOut, ...ended],
      judged: renderings.reports,
      groups,
      queriesOf,
      nameOf: nameIn(state?.names, service.names()),
      appliedAt: (address) => state?.resources[address]?.updatedAt,
      isOfTable: tableValues.has,
    });
    const said = shown(proof);
    const showsWords = run.options.verbose === true && run.stdout.isTerminal;
    await run.publish<ProveOptions['format']>(options, {
      text: (page, isFile) => renderProofText(said, page, showsWords && !isFile),
      markdown: (page) => renderProofMarkdown(said, page.wording),
      json: said.document,
    });
    return proofCode(proof.document, allowed);
  });
}

/** Throws Failure usage for a word that is no reason. */
function allowedReasons({ allow }: ProveOptions): readonly string[] {
  const given = (allow?.unproven ?? []).flatMap((reasons) => reasons.split('+'));
  const other = given.find((reason) => !openReasons.some((each) => each === reason));
  if (other === undefined) return given;
  throw new Failure('usage', `\`${other}\` is not a reason that --allow unproven= takes.`, {
    hint: `The reasons are ${codeList(openReasons)}, with \`+\` between them. Nothing was sent.`,
  });
}

/** Whoever paused it in Omni sends nothing to a receiver who may see nothing. */
async function whyEnded(resource: Resource, { service, idOf }: ProofRun): Promise<LeftOut> {
  const id = idOf(resource.address);
  if (!deliversDashboard(resource.kind) || id === undefined) return { resource, reason: 'sees-nothing' };
  try {
    const { paused } = await (await service.api()).getSchedule(id, service.call);
    return { resource, reason: paused ? 'paused' : 'sees-nothing' };
  } catch (error) {
    if (!leavesOpen(error)) throw error;
    return { resource, reason: statusOf(error) === 404 ? 'not-applied' : 'cannot-tell' };
  }
}

/** Throws Failure usage if no table says whose rows are whose. */
function rowsOf({ loaded }: DeclaredWorkspace): JudgedRows {
  if (loaded.rows !== undefined) return loaded.rows;
  throw new Failure('usage', 'almanac.yaml does not say whose rows are whose, so nothing can be proven.', {
    hint: `Write \`safety: { internalDomains: [example.com], rows: { filters: [customer], allow: tenants.csv } }\`; \`${command('who', '--rows', '--format', 'csv')}\` writes the first table. Nothing was sent.`,
  });
}

/** Everything without a selector. Throws Failure usage. */
function selected(
  { loaded }: DeclaredWorkspace,
  state: State | undefined,
  selectors: readonly string[],
): readonly Resource[] {
  const { resources } = loaded.desired;
  if (selectors.length === 0) return resources;
  const declared = new Set(resources.map(({ address }) => address));
  const whyNot = () => ({ why: 'is no longer declared' });
  const known = [...knownAddresses(loaded.desired, state)].filter((address) => declared.has(address));
  const { addresses } = resolve(selectors, choiceAmong(known, { loaded, state, whyNot }));
  return resources.filter(({ address }) => addresses.has(address));
}

/** Resources that the next apply would change: their declarations differ from what is sent. */
async function changedIn(
  run: Run,
  { loaded }: DeclaredWorkspace,
  state: State | undefined,
): Promise<ReadonlySet<string>> {
  const { value } = planOf(await makeInputs(loaded, state, run));
  return new Set(value.plan.changes.map(({ address }) => address));
}

/** Says the price first, and again where files turn out to have names that do not tell the tiles apart. */
async function proveAll(
  run: Run,
  options: ProveOptions,
  { groups, ended }: Renderings,
  proving: ProofRun,
): Promise<Pick<ProvedGroups, 'groups' | 'queriesOf'>> {
  if (groups.length === 0) return { groups: [], queriesOf: new Map() };
  const price = priceOf(groups, ended.length, proving);
  await agreeOn(run, options, price.words, price.requests, proving.service);
  const whole = await proveGroups(groups, proving);
  if (whole.unnamed.length === 0) return whole;
  const groupsAgain = whole.unnamed.map(({ group }) => group);
  const moreRequests = whole.unnamed.reduce((sum, { group, tiles }) => sum + 2 * tiles * rendersOf(group, proving), 0);
  const names = [...new Set(groupsAgain.map(({ identifier }) => identifier))].join(', ');
  const words = `The files of ${names} have names that do not tell the tiles apart, so each tile is downloaded: at least ${countOf(moreRequests, 'more request', 'more requests')}`;
  await agreeOn(run, options, words, moreRequests, proving.service);
  const apart = await proveGroups(groupsAgain, proving, whole.queriesOf);
  return { groups: [...whole.groups, ...apart.groups], queriesOf: whole.queriesOf };
}

interface Price {
  readonly requests: number;
  readonly words: string;
}

/** The price without waiting for files, and without tiles that are empty for the first receiver. */
function priceOf(groups: readonly Group[], ended: number, proving: ProofRun): Price {
  const renderings = groups.reduce((sum, group) => sum + rendersOf(group, proving), 0);
  const dashboards = new Set(groups.map(({ identifier }) => identifier)).size;
  const taken = groups.flatMap(({ candidates }) => (proving.each ? candidates : candidates.slice(0, 1)));
  const rendered = taken.map(({ resource }) => resource);
  const rights = requestsForRights(rendered, proving.service.token());
  const pages = new Set(groups.filter(hasOnePage).map(({ identifier }) => identifier)).size;
  const requests = 2 * renderings + 2 * dashboards + pages + rights.least + taken.length + ended;
  return {
    requests,
    words: `${countOf(renderings, 'rendering')} of ${countOf(dashboards, 'dashboard')}: at least ${countOf(requests, 'request')}`,
  };
}

/** Throws Failure usage if nobody can be asked or --most allows fewer, and refused. */
async function agreeOn(
  run: Run,
  { most, quiet }: ProveOptions,
  words: string,
  requests: number,
  service: Service,
): Promise<void> {
  const all = service.sent() + requests;
  const seconds = secondsUntilSent(requests, service);
  const time = seconds > 0 ? `, which take about ${duration(seconds)} at half of api.rateLimit` : '';
  const isAsked = most === undefined && run.asker() !== undefined;
  if (!quiet || isAsked) run.say(`${words}${time}.`, run.stderr);
  const allowed = most ?? (isAsked ? undefined : maxUnasked);
  if (allowed !== undefined && all > allowed) {
    const why = most === undefined ? 'there is no terminal to ask on' : `--most allows ${most}`;
    throw new Failure('usage', `The proof takes at least ${countOf(all, 'request')}, and ${why}.`, {
      hint: `Allow more, such as --most ${2 * all}, or select fewer reports.`,
    });
  }
  if (isAsked)
    await requireConfirmed(run, '\nRender them now?', { what: 'The proof was', nothing: 'nothing was rendered' });
}
