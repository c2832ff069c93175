// Turns the flags of `almanac list documents` into parameters of the list operation. Checks every rule of the operation
// before a request is sent. Throws Failure usage.

import { didYouMean } from '../../declare/findings/suggest.ts';
import { uuid } from '../../model/fields/patterns.ts';
import {
  type DocumentInclude,
  type DocumentParameters,
  type DocumentSort,
  documentIncludes,
  maxOnAPage,
  sortDirections,
  sortFields,
} from '../../model/service/documents.ts';
import { isOrganizationKey } from '../../model/service/token-kinds.ts';
import { command } from '../../model/values/command.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { ListDocumentsOptions } from './list-command.ts';

/** With a cursor one page, with a limit up to that many documents, otherwise all. */
export function documentParameters(flags: ListDocumentsOptions, token: string): DocumentParameters {
  const include = [...new Set(listed('--include', flags.include).map(includeOf))];
  checkUser(include, flags.user, token);
  const { cursor, pageSize = maxOnAPage } = flags;
  if (cursor !== undefined && flags.sort === undefined) {
    throw new Failure(
      'usage',
      'A cursor is a place in one order. --cursor needs the --sort of the list it came from.',
      { hint: 'Give both as the previous list printed them.' },
    );
  }
  if (cursor === '')
    throw new Failure('usage', '--cursor is empty.', { hint: 'Leave it out to start from the beginning.' });
  const limit = flags.limit ?? (cursor === undefined ? undefined : pageSize);
  return {
    include,
    labels: [...new Set(listed('--label', flags.label))],
    folderId: idOf('--folder', flags.folder),
    userId: idOf('--user', flags.user),
    creatorId: idOf('--creator', flags.creator),
    pageSize,
    ...sortOf(flags.sort),
    cursor,
    limit,
  };
}

/** Splits at commas: the API separates values by commas, so no value can contain one. */
function listed(flag: string, values: readonly string[] = []): readonly string[] {
  const items = values.flatMap((value) => value.split(',')).map((item) => item.trim());
  if (items.includes(''))
    throw new Failure('usage', `${flag} is empty.`, { hint: 'Leave it out, or give it a value.' });
  return items;
}

function includeOf(text: string): DocumentInclude {
  const known = documentIncludes.find((name) => name === text);
  if (known !== undefined) return known;
  const hint = didYouMean(text, documentIncludes) ?? `Use one of ${documentIncludes.join(', ')}.`;
  throw new Failure('usage', `--include does not accept ${JSON.stringify(text)}.`, { hint });
}

function checkUser(include: readonly DocumentInclude[], user: string | undefined, token: string): void {
  const about = include.filter((name) => name === 'onlyFavorites' || name === 'onlySharedWithMe');
  if (about.length === 0 || user !== undefined) return;
  if (!isOrganizationKey(token)) return;
  throw new Failure('usage', `With an organization key, --include ${about.join(',')} needs --user.`, {
    hint: 'Give the membership id of the user, or use a personal access token, which acts for its owner.',
  });
}

function idOf(flag: string, value: string | undefined): string | undefined {
  if (value === undefined || new RegExp(uuid).test(value)) return value;
  const hint = `\`${command('list documents', '--format', 'json')}\` shows the id of each ${flag === '--folder' ? 'folder' : 'owner'}.`;
  throw new Failure('usage', `${flag} must be an id, such as 987fcdeb-51a2-43d7-9b56-254415f67890.`, { hint });
}

/** Sorts by name, ascending, unless told otherwise. */
function sortOf(text = 'name:asc'): DocumentSort {
  const [field, direction = 'asc', ...more] = text.split(':');
  const sortField = sortFields.find((name) => name === field);
  const sortDirection = sortDirections.find((name) => name === direction);
  if (sortField !== undefined && sortDirection !== undefined && more.length === 0) return { sortField, sortDirection };
  throw new Failure('usage', `--sort does not accept ${JSON.stringify(text)}.`, {
    hint: `Use a field (${sortFields.join(', ')}) and a direction (${sortDirections.join(', ')}), such as updatedAt:desc.`,
  });
}
