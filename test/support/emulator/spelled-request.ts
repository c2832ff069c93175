// A request to the emulator as a line of text: a method, a path, a body by its name or in JSON, changes to the body (`-name`
// removes a field), and who asks. Names in capitals stand for ids.

import { bucket, hook, mail, routine, sftp, slack } from '../vocabulary.ts';
import { ids } from './start-emulator.ts';

type Names = Readonly<Record<string, string>>;

export const demoNames: Names = {
  BOARD: ids.board,
  TEAM: ids.salesTeam,
  ANA: ids.ana,
  BO: ids.bo,
  CLEO: ids.cleo,
  STRANGER: ids.stranger,
  FOLDER: ids.salesFolder,
  MODEL: ids.model,
  BRANCH: ids.branch,
  TALK: ids.conversation,
  ORGANIZATION: '550e8400-e29b-41d4-a716-446655440000',
};

const bodies: Readonly<Record<string, object>> = {
  WEBHOOK: hook(),
  EMAIL: mail(),
  SLACK: slack(),
  SFTP: sftp({ passwordUnencrypted: undefined }),
  S3: bucket(),
  ROUTINE: routine(),
  JOB: { modelId: ids.model, prompt: 'Why?' },
};
const askers: Readonly<Record<string, string>> = {
  ana: 'Bearer omni_pat_demo_personal_token',
  nobody: '',
  stranger: 'Bearer omni_osk_other',
  basic: 'Basic omni_osk_demo_organization_key',
};

/** With the ids in place of their names, except in addresses of mail. */
export const spelled = (text: string, names: Names) =>
  text.replace(/\b[A-Z]+\d*\b(?!@)/g, (name) => names[name] ?? name);

/** With the names in place of the ids. */
export const named = (text: string, names: Names) =>
  Object.entries(names).reduce((said, [name, id]) => said.replaceAll(id, name), text);

/** The body of that name or in JSON, with changes in JSON; undefined if there is neither. */
export function bodyOf(base: string, changes: string | undefined, names: Names): object | undefined {
  if (base === '' && changes === undefined) return undefined;
  const written: object = bodies[base] ?? JSON.parse(spelled(base || '{}', names));
  const fields = Object.entries({ ...written, ...JSON.parse(spelled(changes ?? '{}', names)) });
  const removed = fields.flatMap(([name]) => (name.startsWith('-') ? [name, name.slice(1)] : []));
  return Object.fromEntries(fields.filter(([name]) => !removed.includes(name)));
}

/** Of the organization unless somebody is named. */
export const headersOf = (asker: string | undefined) =>
  asker === undefined ? undefined : { Authorization: askers[asker] ?? asker };
