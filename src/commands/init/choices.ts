// The choices that the options and questions of `almanac init` offer.

import { InvalidArgumentError } from '@commander-js/extra-typings';

export const editors = ['vscode', 'jetbrains', 'none'] as const;
export const ciSystems = ['github', 'gitlab', 'none'] as const;
/** Other systems, with their pages of the documentation, which have a pipeline to copy. */
const pagesOfOthers: Readonly<Record<string, string>> = { azure: 'ci-azure', bitbucket: 'ci-bitbucket' };
export const starts = ['example', 'omni'] as const;
export const yesOrNo = ['no', 'yes'] as const;

export function ciSystem(text: string): (typeof ciSystems)[number] {
  const found = ciSystems.find((system) => system === text);
  if (found !== undefined) return found;
  const page = Object.entries(pagesOfOthers).find(([name]) => text.toLowerCase().startsWith(name))?.[1];
  const way =
    page === undefined
      ? 'The documentation (ci) shows the lines for any other CI.'
      : `The documentation (${page}) has a pipeline to copy.`;
  throw new InvalidArgumentError(`Allowed choices are ${ciSystems.join(', ')}. ${way}`);
}
