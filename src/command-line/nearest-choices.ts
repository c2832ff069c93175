// A value that is none of the choices of its option or argument is refused with the nearest of them.

import { type Argument, type Command, InvalidArgumentError, type Option } from 'commander';
import { nearestWord } from '../commands/base/nearest-word.ts';

/** For every option and argument of the program that has choices. */
export function addNearestChoices(command: Command): void {
  for (const taken of [...command.options, ...command.registeredArguments]) nameNearest(taken);
  for (const child of command.commands) addNearestChoices(child);
}

function nameNearest(taken: Option | Argument): void {
  const { argChoices: choices, parseArg: parse } = taken;
  if (choices === undefined || parse === undefined) return;
  taken.argParser((word: string, previous: unknown) => {
    try {
      return parse.call(taken, word, previous);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw new InvalidArgumentError(`${error.message}${nearestWord(word, choices)}`);
    }
  });
}
