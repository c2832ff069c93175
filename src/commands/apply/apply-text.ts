// The outcome of an apply, for a terminal: the counts, the failures and what is left to do.

import { otherRows } from '../../apply/read-back.ts';
import type { ApplyDocument, ApplyResult, FinishedEntry, JobEnd } from '../../model/plan/apply-outcome.ts';
import { command } from '../../model/values/command.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import type { Refusal } from '../../model/values/refusal.ts';
import { countList, countOf, nameSome } from '../../model/values/words.ts';
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
import { statusRoles, statusWords, withoutIds } from '../base/result-words.ts';

export interface ApplySummaryOptions extends Page {
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
export function renderNotReadBack(document: ApplyDocument, page: Page): string {
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

function stringIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
