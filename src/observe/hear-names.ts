// The names that answers tell beside ids, whatever was asked for: the one place that knows which answers those are. No request
// is sent for a name.

import { idKey } from '../model/fields/ids.ts';
import type { Api } from '../omni/api.ts';

export type HearName = (id: string, name: string) => void;

/** Of a member: the address in lower case, and the membership id. */
export type HearMember = (email: string, id: string) => void;

export function hearingNames(api: Api, hear: HearName, hearMember: HearMember): Api {
  const hears = (id = '', name = '') => {
    if (id !== '' && name !== '') hear(idKey(id), cut(name));
  };
  return {
    ...api,
    listSchedules: async (only, options) => {
      const rows = await api.listSchedules(only, options);
      for (const { identifier, dashboardName } of rows) hears(identifier, dashboardName);
      return rows;
    },
    listDocuments: async (parameters, options) => {
      const list = await api.listDocuments(parameters, options);
      for (const { identifier, name, deleted } of list.documents) if (!deleted) hears(identifier, name);
      return list;
    },
    listModels: async (kind, options) => {
      const models = await api.listModels(kind, options);
      for (const each of models.flatMap((model) => [model, ...model.branches])) hears(each.id, each.name);
      return models;
    },
    groupsWithAccess: async (identifier, options) => {
      const groups = await api.groupsWithAccess(identifier, options);
      for (const { id, name } of groups) hears(id, name);
      return groups;
    },
    listUsers: async (only, options) => {
      const users = await api.listUsers(only, options);
      for (const { id, email, active } of users) if (active) hearMember(email.toLowerCase(), id);
      return users;
    },
    getRecipients: async (id, options) => {
      const recipients = await api.getRecipients(id, options);
      for (const group of recipients.groups ?? []) hears(group.id, group.name);
      return recipients;
    },
  };
}

/** In characters. More says no more, and would fill a comment, where the changes themselves are cut. */
const longestName = 200;

function cut(name: string): string {
  const characters = name.length > longestName ? [...name] : [];
  return characters.length > longestName ? `${characters.slice(0, longestName).join('')}…` : name;
}
