// The action's module about the issue on drift, with types: the scripts of the action have none.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Issue {
  readonly id: number;
  readonly body: string;
  readonly isOpen: boolean;
}

interface DriftIssue {
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
  driftIssue(given: Given): DriftIssue;
  decideIssue(wanted: DriftIssue, issues: readonly Issue[]): readonly object[];
}

const path = resolve('.github/actions/almanac/drift/issue.mjs');
export const { driftIssue, decideIssue } = (await import(pathToFileURL(path).href)) as Module;
