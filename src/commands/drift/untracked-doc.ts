// The schedules in Omni that no declaration and no state knows, and the commands that declare them.

import type { UntrackedSchedule } from '../../model/plan/drift-document.ts';
import { scheduleUrl } from '../../model/values/urls.ts';
import { code, type Doc, joined, part, type ReportEntry, section, type Words } from '../../report/doc.ts';

/** `baseUrl`: where the pages of the schedules are. */
export function untrackedDoc(untracked: readonly UntrackedSchedule[], baseUrl: string | null): Doc {
  const identifiers = new Set(untracked.map(({ identifier }) => identifier));
  const commands = [...identifiers].flatMap((each) => importCommand(each) ?? []);
  const how = commands.length > 0 && part('To declare them:', { commands });
  return [section('Untracked', [{ head, entries: untracked.map((each) => entryOf(each, baseUrl)) }]), how];
}

const head = ['schedule', 'dashboard', 'owner', 'last run', 'id'].map((title) => ({ title }));

function entryOf(
  { id, name, identifier, dashboardName, owner, lastRunAt }: UntrackedSchedule,
  baseUrl: string | null,
): ReportEntry {
  const url = identifier && scheduleUrl(baseUrl, identifier, id);
  const cell = (text: string | undefined): Words => text !== undefined && code(text);
  const dashboard = joined([cell(identifier), cell(dashboardName)], ' ');
  return {
    cells: [
      url && name !== undefined ? { link: url, of: code(name) } : cell(name),
      dashboard,
      cell(owner),
      cell(lastRunAt) || 'never',
      code(id),
    ],
    line: joined([
      identifier !== undefined && ['dashboard ', dashboard],
      owner !== undefined && ['owner ', code(owner)],
      lastRunAt === undefined ? 'never ran' : ['last run ', code(lastRunAt)],
      ['id ', code(id)],
    ]),
  };
}

/** Plain enough to stand in a command line that people paste into a shell. */
const plain = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/** The command that declares a dashboard's schedules; undefined where its identifier cannot be pasted as it is. */
function importCommand(identifier: string | undefined): string | undefined {
  return identifier !== undefined && plain.test(identifier) ? `almanac import --identifier ${identifier}` : undefined;
}
