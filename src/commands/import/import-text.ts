// An import in words: what could not be declared, the files, and the next steps. Long lists are folded: the report of a
// large organization fits a screen.

import { countKinds, kindAt } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { countList, countOf, maxListed, nameSome } from '../../model/values/words.ts';
import { type Doc, dim, firstFew, indented, item, part, strong, type Words } from '../../report/doc.ts';
import { planCounts } from '../../report/plan/plan-counts.ts';
import { printText } from '../../report/print-text.ts';
import { refusalsDoc } from '../../report/refusals-doc.ts';
import type { Page } from '../../report/text/theme.ts';
import type { ImportDocument, ImportedVariable, SkippedSchedule, UnpairedSchedules } from './import-document.ts';

/** Schedules that no declaration can hold, grouped by reason. */
export function renderSkipped(skipped: readonly SkippedSchedule[], page: Page): Doc {
  const refusals = skipped.map(({ reason, ...schedule }) => ({ about: [schedule], message: reason }));
  const nameOf = ({ id, name, identifier }: Omit<SkippedSchedule, 'reason'>) =>
    warning(`not declared: ${name} (id ${id}${identifier === '' ? '' : `, dashboard ${identifier}`})`);
  return refusalsDoc(refusals, (about) => firstFew(about, nameOf, page, warning), page);
}

export function renderNotes(messages: readonly string[], page: Page): Doc {
  return firstFew(messages, warning, page, warning);
}

function warning(words: string): Words {
  return [{ role: 'warning', of: 'warning' }, `: ${words}`];
}

interface ImportPage extends Page {
  readonly writesState: boolean;
  /** The name of the state's place. */
  readonly state: string;
  readonly isShared: boolean;
  /** True if almanac.yaml has one environment, so that no other one needs adopt entries. */
  readonly isOnlyEnvironment: boolean;
}

/** Ends with a newline. */
export function renderImport(document: ImportDocument, page: ImportPage): string {
  const { files, imported, skipped, tracked, schema, variables, paired, unpaired, adoptFile, beside } = document;
  const { notLookedFor, following, undecided = 0, trackedBy = [], ignored = 0, undeclared = 0 } = document;
  const written = [
    ...(schema === undefined ? [] : [`${schema}: the schema for editors`]),
    ...files.map(({ path, resources }) => `${path}: ${countOf(resources, 'resource')}`),
    ...(adoptFile === undefined ? [] : [`${adoptFile}: ${countOf(paired.length, 'adopt entry', 'adopt entries')}`]),
  ];
  const are = (count: number) => (count === 1 ? 'is' : 'are');
  const notImported = countList([
    [skipped.length, 'could not be declared'],
    [tracked, `${are(tracked)} already tracked`],
    ...trackedBy.map(({ who, count }) => [count, `${are(count)} tracked by ${who}`] as const),
    [ignored, `${are(ignored)} left to others by \`ignore\``],
    [undeclared, `${are(undeclared)} not declared`],
  ]);
  const counts = `Imported ${countKinds(imported.map(({ address }) => kindAt(address)))} into ${countOf(files.length, 'file')}`;
  return printText(
    [
      written.length > 0 && part('Wrote', ...firstFew(written, hung, page, hung)),
      beside.length > 0 && part(existingFilesWords(beside.map(({ there }) => there))),
      paired.length > 0 &&
        part(
          strong(`Declared already, and found in Omni: ${countKinds(paired.map(({ address }) => kindAt(address)))}.`),
        ),
      unpaired.length > 0 && part(...unpairedDoc(unpaired, page)),
      part(strong(`${counts}${notImported === '' ? '' : `; ${notImported}`}.`)),
      following > 0 && part(followingWords(following)),
      undecided > 0 && part(undecidedWords(undecided, page)),
      variables.length > 0 && part(...variableDoc(variables, page)),
      notLookedFor.length > 0 && part(notLookedForWords(notLookedFor)),
      files.length + paired.length + unpaired.length + notLookedFor.length > 0 &&
        part(...nextSteps(document, page).map(dim)),
    ],
    page,
  );
}

function followingWords(count: number): string {
  const [match, them] = count === 1 ? ['matches', 'it'] : ['match', 'them'];
  return `${countOf(count, 'filter')} ${match} the dashboard and will follow it: \`${command('import', '--filters', 'all')}\` declares ${them} instead.`;
}

/** Without internal domains, reports inside are not known; the next update makes the filters the schedules' own. */
function undecidedWords(count: number, { writesState }: ImportPage): string {
  const [are, them] =
    count === 1 ? ['may be that of the dashboard, and is', 'it'] : ['may be those of the dashboard, and are', 'them'];
  const way = writesState
    ? 'and remove from the files those of reports that stay inside'
    : 'remove the files, and import again, which leaves out those of reports that stay inside';
  return `${countOf(count, 'filter')} ${are} declared, because almanac.yaml lists no safety.internalDomains. The next update of a schedule makes ${them} its own. To let ${them} follow the dashboard, list your own domains there before that, ${way}.`;
}

function existingFilesWords(there: readonly string[]): string {
  const names = nameSome(there);
  return there.length === 1
    ? `${names} already exists and was not changed; new resources are in a second file.`
    : `${names} already exist and were not changed; new resources are in files beside these.`;
}

const hung = (of: string) => indented(2, { hang: 2, of });

/** An import cannot be repeated with -v, so another command lists all. */
function variableDoc(variables: readonly ImportedVariable[], page: Page): Doc {
  const words = variables.map(
    ({ name, holds, schedules }) => `${name}: ${holds} (${countOf(schedules.length, 'schedule')})`,
  );
  const kinds = new Set(variables.map(({ kind }) => kind));
  const hints = [
    ...(kinds.has('password') ? ['Omni never returns a password.'] : []),
    ...(kinds.has('url') ? ['Omni shows the URL of a webhook where the schedule is edited.'] : []),
  ];
  return [
    `Set ${variables.length === 1 ? 'this variable' : `these ${variables.length} variables`} where ${command('apply')} runs:`,
    ...firstFew(words, hung, page, () =>
      hung(`and ${words.length - maxListed} more (${command('doctor')} lists all that are not set)`),
    ),
    hints.join(' '),
  ];
}

type AsListed = Omit<UnpairedSchedules['listed'][number], 'id'>;

function unpairedDoc(groups: readonly UnpairedSchedules[], page: Page): Doc {
  const blockOf = ({ identifier, name, declared, listed }: UnpairedSchedules) =>
    item(
      [{ value: name }, ' on the dashboard ', { code: identifier }],
      [
        ...declared.map((each) => ['declared: ', { code: each.address }, `: ${asListed(each)}`]),
        ...listed.map((each) => ['in Omni: ', { code: each.id }, `: ${asListed(each)}`]),
      ],
    );
  const count = groups.reduce((sum, { declared }) => sum + declared.length, 0);
  return [
    `Almanac cannot tell which schedule belongs to which declaration, so these are neither adopted nor declared (${countOf(count, 'declaration')}):`,
    ...firstFew(groups, blockOf, page),
    `Write an \`adopt\` entry for each declaration that has its schedule in Omni. The next \`${command('import')}\` declares the remaining schedules.`,
  ];
}

function asListed({ schedule, timezone, format, destinationType, recipientCount }: AsListed) {
  const to = recipientCount === undefined ? '' : `, ${countOf(recipientCount, 'recipient')}`;
  return `${schedule} ${timezone}, ${format}, ${destinationType}${to}`;
}

function notLookedForWords(addresses: readonly string[]): string {
  const count = countOf(addresses.length, 'declared routine');
  const [were, they] = addresses.length === 1 ? ['was', 'it'] : ['were', 'them'];
  return `${count} ${were} not looked for, because nobody asked for the routines of their owners: ${nameSome(addresses)}. \`${command('import', '--owners', 'all')}\`, with an organization key, looks for ${they}; until then the next plan creates ${they}.`;
}

function nextSteps({ files, paired, next, only }: ImportDocument, page: ImportPage): readonly string[] {
  const { writesState, isOnlyEnvironment, state, isShared } = page;
  const counts = next === undefined ? undefined : planCounts({ summary: next, changes: [] });
  const plan =
    counts === undefined ? [] : [counts === '' ? 'The next plan has nothing to do.' : `The next plan: ${counts}.`];
  if (files.length + paired.length === 0) return plan;
  const elsewhere =
    only === undefined || files.length === 0
      ? []
      : [
          `They exist in ${only} alone: to have them in another environment too, give it \`deliver\` and take \`in\` away.`,
        ];
  if (writesState) {
    const toCommit = [...(files.length === 0 ? [] : ['the files']), ...(isShared ? [] : [state])];
    const commit = toCommit.length === 0 ? '' : ` Commit ${toCommit.join(' and ')}.`;
    return [`They are tracked from now on, in ${state}.${commit}`, ...plan, ...elsewhere];
  }
  return [
    ...plan,
    `\`${command('apply')}\` records what is adopted in ${state}, and changes nothing in Omni.`,
    isOnlyEnvironment
      ? `\`${command('fmt', '--prune')}\` then removes the adopt entries. With one environment, \`${command('import', '--write-state')}\` does all of this at once.`
      : `\`${command('fmt', '--prune')}\` then removes the adopt entries.`,
    ...elsewhere,
  ];
}
