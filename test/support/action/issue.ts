// The action's module about the issues that it keeps, with types: the scripts of the action have none.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Issue {
  readonly id: number;
  readonly body: string;
  readonly isOpen: boolean;
}

interface WantedIssue {
  readonly title: string;
  readonly body: string;
}

interface Given {
  readonly environment: string;
  readonly directory: string;
  readonly document: object;
  readonly markdown: string;
  readonly link: string;
}

interface Module {
  issueAbout(command: 'drift' | 'status', given: Given): WantedIssue;
  decideIssue(wanted: WantedIssue, issues: readonly Issue[]): readonly object[];
}

const path = resolve('.github/actions/almanac/issues/issue.mjs');
export const { issueAbout, decideIssue } = (await import(pathToFileURL(path).href)) as Module;
