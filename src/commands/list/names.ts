// `almanac list models`, `people` and `groups`: names, and the ids that declarations hold.

import type { ListedName, NamesDocument } from '../../model/service/documents.ts';
import { countOf } from '../../model/values/words.ts';
import type { Service } from '../../observe/service.ts';
import { type TableColumn, tableLines } from '../../report/table/table-lines.ts';
import { renderJson } from '../../report/text/render-json.ts';
import type { Run } from '../base/run.ts';
import { askingOmni } from './asking-omni.ts';
import type { ListGroupsOptions, ListOptions } from './list-command.ts';

interface Names {
  readonly records: readonly ListedName[];
  readonly one: string;
  readonly several: string;
  /** Shown below the table. */
  readonly note?: string;
}

export function listModels(run: Run, options: ListOptions): Promise<number> {
  return printNames(run, options, async ({ api, call }) => {
    const service = await api();
    const shared = await service.listModels('SHARED', call);
    const extensions = await service.listModels('SHARED_EXTENSION', call);
    const records = [...shared, ...extensions.map((each) => ({ ...each, isExtension: true }))].sort(byName);
    return { records, one: 'model', several: 'models' };
  });
}

export function listPeople(run: Run, options: ListOptions): Promise<number> {
  return printNames(run, options, async ({ api, call }) => {
    const members = await (await api()).listUsers({}, call);
    const records = members.map(({ name = '', ...rest }) => ({ name, ...rest })).sort(byName);
    return { records, one: 'member', several: 'members' };
  });
}

export function listGroups(run: Run, options: ListGroupsOptions): Promise<number> {
  return printNames(run, options, async ({ api, call }) => {
    const { dashboard } = options;
    if (dashboard !== undefined) {
      const records = [...(await (await api()).groupsWithAccess(dashboard, call))].sort(byName);
      return { records, one: 'user group may see it', several: 'user groups may see it' };
    }
    const names = await (await api()).listGroupNames(call);
    return {
      records: names.map((name) => ({ name })).sort(byName),
      one: 'user group',
      several: 'user groups',
      note: 'Omni shows the id that a schedule takes only beside a dashboard: --dashboard IDENTIFIER prints it. A name is enough in a schedule.',
    };
  });
}

function byName(a: ListedName, b: ListedName): number {
  return a.name.localeCompare(b.name, 'en') || (a.id ?? '').localeCompare(b.id ?? '', 'en');
}

function printNames(run: Run, options: ListOptions, ask: (service: Service) => Promise<Names>): Promise<number> {
  return askingOmni(run, options, async (service, { shown }) => {
    const { records, one, several, note } = shown(await ask(service));
    if (options.format === 'json') {
      run.stdout.data(renderJson({ formatVersion: 1, records } satisfies NamesDocument));
      return;
    }
    const rows = records.flatMap(rowsOf);
    const table = rows.length === 0 ? [] : [...tableLines(run.page(), columnsOf(rows), rows), ''];
    run.stdout.write(`${[...table, `${countOf(records.length, one, several)}.`].join('\n')}\n`);
    if (note !== undefined && !options.quiet) run.stderr.write(`${note}\n`);
  });
}

interface Row extends Omit<ListedName, 'branches'> {
  /** The model of a branch. */
  readonly of?: string;
}

function rowsOf({ branches = [], ...named }: ListedName): readonly Row[] {
  return [named, ...branches.map((branch) => ({ ...branch, of: named.name }))];
}

function columnsOf(rows: readonly Row[]): readonly TableColumn<Row>[] {
  const all: readonly TableColumn<Row>[] = [
    { title: 'ID', cell: ({ id }) => id ?? '' },
    { title: 'NAME', cell: ({ name }) => name, least: 24 },
    { title: 'KIND', cell: ({ isExtension }) => (isExtension ? 'extension' : '') },
    { title: 'BRANCH OF', cell: ({ of }) => of ?? '', least: 8 },
    { title: 'E-MAIL', cell: ({ email }) => email ?? '', least: 16 },
    { title: 'ACCOUNT', cell: ({ active }) => (active === false ? 'deactivated' : '') },
  ];
  return all.filter(({ cell }) => rows.some((row) => cell(row) !== ''));
}
