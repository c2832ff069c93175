// What the options of version 0.1 that are gone are called now. The release after the next one knows them no more.

import { shellWord } from '../model/values/words.ts';
import type { AnyCommand } from './base/command.ts';

/** Options that chose resources, and the label of their values. */
const choosing: Readonly<Record<string, string>> = {
  '--select': '',
  '--recipient': 'to:',
  '--dashboard': 'dashboard:',
  '--destination': 'via:',
  '--kind': 'kind:',
};

/** What to write instead, without a full stop; undefined for an option that this command never had. */
export function translationOf(flag: string, command: AnyCommand, argv: readonly string[]): string | undefined {
  const [name = ''] = flag.split('=', 1);
  if (name === '--wait-timeout' && hasOption(command, '--wait'))
    return `Write --wait=${valuesOf(name, argv).find((value) => /^\d+$/.test(value)) ?? 'SECONDS'}`;
  if (!Object.hasOwn(choosing, name)) return undefined;
  const takes = hasOption(command, '--target')
    ? '--target '
    : ['selectors', 'whom'].includes(command.registeredArguments[0]?.name() ?? '')
      ? ''
      : undefined;
  if (takes === undefined) return undefined;
  const selectors = Object.entries(choosing).flatMap(([each, label]) =>
    valuesOf(each, argv).map((text) => shellWord(`${label}${text}`)),
  );
  if (selectors.length === 0) return `Write ${takes}${choosing[name] === '' ? 'SELECTOR' : `${choosing[name]}VALUE`}`;
  const note = selectors.length > 1 ? '. Labels of one kind add up, and different kinds narrow each other' : '';
  return `Write ${takes}${selectors.join(' ')}${note}`;
}

function hasOption({ options }: AnyCommand, long: string): boolean {
  return options.some((option) => option.long === long);
}

/** Divided at commas. None for an option without a value, before another one or at the end. */
function valuesOf(name: string, argv: readonly string[]): readonly string[] {
  const lists = argv.flatMap((word, index) => {
    if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
    const next = argv[index + 1] ?? '';
    return word === name && !next.startsWith('-') ? next : [];
  });
  return lists
    .flatMap((list) => list.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
