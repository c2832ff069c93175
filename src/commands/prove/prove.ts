// `almanac prove [SELECTOR...]`: tests whether customers may see the rows of others. It renders their reports, and
// again with a value that nobody has. Nobody receives anything, and no rendering is kept.

import { createHash } from 'node:crypto';
import type { JudgedRows } from '../../declare/rows/rows-of-others.ts';
import { nameIn } from '../../model/plan/names.ts';
import type { State } from '../../model/plan/state.ts';
import type { Address } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { openRights, requestsForRights } from '../../observe/downloads/rights.ts';
import { atHalfOfTheRate, requireFullOperations, type Service, secondsUntilSent } from '../../observe/service.ts';
import { makeInputs } from '../../plan/inputs.ts';
import { knownAddresses } from '../../plan/match.ts';
import { planOf } from '../../plan/proposal.ts';
import { choiceAmong, resolve } from '../../plan/select.ts';
import { duration } from '../../report/text/words.ts';
import { requireConfirmed } from '../base/confirm.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run } from '../base/run.ts';
import { chooseRenderings, type Group, hasOnePage, nobodyOf, type Renderings, rendersOf } from './choose-renderings.ts';
import { isTotalWord } from './judge-tile.ts';
import { makeProof, proofCode } from './make-proof.ts';
import { renderProofMarkdown, renderProofText } from './proof-text.ts';
import type { ProveOptions } from './prove-command.ts';
import { type ProofRun, type ProvedGroups, proveGroups } from './prove-groups.ts';

type DeclaredWorkspace = Awaited<ReturnType<Run['declared']>>;

/** The most requests that are sent without confirmation if there is no terminal. */
const maxUnasked = 500;

export async function prove(run: Run, options: ProveOptions, selectors: readonly string[]): Promise<number> {
  const session = await run.declared('nothing was sent');
  const { loaded, shown, workspace } = session;
  requireFullOperations(loaded.config, 'to render a dashboard');
  const rows = rowsOf(session);
  const state = await run.readState(await run.store(session), loaded.config);
  const renderings = chooseRenderings(selected(session, state, selectors), rows.rules);
  const changed = await changedIn(run, session, state);
  const halved = { ...loaded, config: atHalfOfTheRate(loaded.config) };
  const reporter = progressReporter(run, shown);
  const at = new Date(run.clock.now()).toISOString();
  return run.asking({ loaded: halved, reporter }, async (service) => {
    const { permissions } = rows.rules;
    const idOf = (address: Address) => (changed.has(address) ? undefined : state?.resources[address]?.id);
    const values = new Set(permissions.permissions().map(({ shows }) => shows));
    const isOfTable = (value: string) => values.has(value);
    const proving: ProofRun = {
      service,
      clock: run.clock,
      rightsOf: openRights(service),
      idOf,
      nobody: nobodyOf(run.randomness.uuid(), loaded),
      isOfTable,
      namesTotal: [...values].some(isTotalWord),
      isShared: (identifier, tile) => loaded.config.safety.rows?.shared.includes(`${identifier}/${tile}`) ?? false,
      each: options.each === true,
      most: options.most,
      onDashboard: (done, total, name) => reporter.emit({ type: 'read', done, total, what: 'dashboards', name }),
    };
    const { groups, queriesOf } = await proveAll(run, options, renderings, proving);
    const table = loaded.fileNamed(permissions.file)?.text ?? '';
    const proof = makeProof({
      at,
      organization: loaded.config.api.baseUrl ?? '',
      commit: await (await run.openCheckout(workspace.root)).head(),
      table: { file: permissions.file, digest: createHash('sha256').update(table).digest('hex') },
      renderings,
      groups,
      queriesOf,
      nameOf: nameIn(state?.names, service.names()),
      isApplied: (address) => idOf(address) !== undefined,
      isOfTable,
    });
    const said = shown(proof);
    await run.publish<ProveOptions['format']>(options, {
      text: (page) => renderProofText(said, page),
      markdown: (page) => renderProofMarkdown(said, page.wording),
      json: said.document,
    });
    return proofCode(proof.document);
  });
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
  { groups }: Renderings,
  proving: ProofRun,
): Promise<Pick<ProvedGroups, 'groups' | 'queriesOf'>> {
  if (groups.length === 0) return { groups: [], queriesOf: new Map() };
  const price = priceOf(groups, proving);
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
function priceOf(groups: readonly Group[], proving: ProofRun): Price {
  const renderings = groups.reduce((sum, group) => sum + rendersOf(group, proving), 0);
  const dashboards = new Set(groups.map(({ identifier }) => identifier)).size;
  const taken = groups.flatMap(({ candidates }) => (proving.each ? candidates : candidates.slice(0, 1)));
  const rendered = taken.map(({ resource }) => resource);
  const rights = requestsForRights(rendered, proving.service.token());
  const pages = new Set(groups.filter(hasOnePage).map(({ identifier }) => identifier)).size;
  const details = taken.filter(({ resource }) => proving.idOf(resource.address) !== undefined).length;
  const requests = 2 * renderings + 2 * dashboards + pages + rights.least + details;
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
