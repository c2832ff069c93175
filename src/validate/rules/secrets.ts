// A password in a file stays in the history of the repository forever.

import { secretFieldsOf } from '../../model/fields/fields.ts';
import { type Rule, textOf } from '../findings/rule.ts';

export const secretsComeFromOutside: Rule = ({ kind, value, fromEnvironment }) =>
  secretFieldsOf[kind]
    .filter((name) => textOf(value, name) && !fromEnvironment.has(`/${name}`))
    .map((name) => ({
      code: 'secret-in-plain-text',
      message: `${name} is written in the file, so everyone who can read the repository can read it, now and in its history.`,
      hint: `Write \`${name}: \${env.NAME}\`, set the variable where almanac apply runs, and replace the secret.`,
      pointer: `/${name}`,
      at: 'key',
    }));
