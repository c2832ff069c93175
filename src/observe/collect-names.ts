// The names that answers tell beside ids, whatever was asked for: the one place that knows which answers those are. No request
// is sent for a name.

import { idKey } from '../model/fields/ids.ts';
import type { Api } from '../omni/api.ts';

/** The book of a run, in which each answer writes. */
export interface CollectedNames {
  /** Omni's names, by id. */
  readonly names: Map<string, string>;
  /** The membership ids of active members, by address in lower case. */
  readonly members: Map<string, string>;
}

export function collectingNames(api: Api, { names, members }: CollectedNames): Api {
  const hears = (id = '', name = '') => {
    if (id !== '' && name !== '') names.set(idKey(id), cut(name));
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
      for (const { id, email, active } of users) if (active) members.set(email.toLowerCase(), id);
      return users;
    },
    getRecipients: async (id, options) => {
      const recipients = await api.getRecipients(id, options);
      for (const group of recipients.groups ?? []) hears(group.id, group.name);
      return recipients;
    },
  };
}

/** The limit in characters. More says no more, and would fill a comment, where the changes themselves are cut. */
const maxNameLength = 200;

function cut(name: string): string {
  const characters = name.length > maxNameLength ? [...name] : [];
  return characters.length > maxNameLength ? `${characters.slice(0, maxNameLength).join('')}…` : name;
}
