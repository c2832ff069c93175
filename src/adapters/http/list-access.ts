// Reads who may see a document, page by page. A list that does not end where it should counts as incomplete.

import type { AccessList, Principal } from '../../model/service/service-view.ts';
import { type AccessPage, readAccessPage } from '../answers/read-access-list.ts';
import type { Call } from './http-call.ts';
import { listAccess as operation } from './operations.ts';
import { accessPath, toBare } from './wire.ts';

/** 10,000 people and groups: beyond that, nothing is said about who is missing. */
const mostPages = 100;

export async function listAccess(
  identifier: string,
  getPage: (call: Omit<Call<AccessPage>, 'options'>) => Promise<AccessPage>,
): Promise<AccessList> {
  const principals: Principal[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const request = toBare(accessPath(identifier), { pageSize: '100', cursor });
    const page = await getPage({ operation, request, read: readAccessPage });
    principals.push(...page.principals);
    const isStuck = page.nextCursor !== undefined && (page.nextCursor === cursor || pages === mostPages);
    if (!page.isWhole || isStuck) return { principals, isWhole: false };
    if (page.nextCursor === undefined) return { principals, isWhole: true };
    cursor = page.nextCursor;
  }
}
