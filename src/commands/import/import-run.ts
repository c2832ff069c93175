// The values that an import works with, from the list to the written files.

import type { Loaded } from '../../declare/load/load.ts';
import type { Workspace } from '../../declare/workspace.ts';
import type { ProgressFile, Reporter } from '../../model/outside.ts';
import type { State } from '../../model/plan/state.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Answers } from '../../observe/details/answers.ts';
import type { Service } from '../../observe/service.ts';
import type { StateStore } from '../../state/state-store.ts';
import type { Run } from '../base/run.ts';
import type { MaskTexts } from '../base/shown-texts.ts';
import type { AskedPages } from './asked-pages.ts';
import type { Targets } from './files.ts';
import type { Pairing } from './find-pairs.ts';
import type { FoundRoutines } from './find-routines.ts';
import type { FollowsDashboard } from './follows-dashboard.ts';
import type { ImportOptions } from './import-command.ts';
import type { ImportPlan } from './plan-import.ts';

export interface ImportRun extends Pick<Run, 'environment' | 'clock' | 'randomness' | 'toolVersion' | 'signal'> {
  readonly run: Run;
  readonly workspace: Workspace;
  readonly loaded: Loaded;
  readonly config: Config;
  /** `identifier`: those of the pages that were named among them; undefined for everything. */
  readonly options: ImportOptions;
  readonly pages: AskedPages;
  /** The folder of --out, relative to the workspace; undefined for the folder of the first source glob. */
  readonly folder: string | undefined;
  readonly store: StateStore;
  /** The state when the import began. */
  readonly state: State | undefined;
  readonly progress: ProgressFile;
  readonly answers: Answers;
  readonly service: Service;
  readonly reporter: Reporter;
  readonly note: (message: string) => void;
  readonly shown: MaskTexts;
}

export interface ListedImport extends ImportRun, FoundRoutines {
  readonly listed: readonly ListedSchedule[];
}

/** The environments that `in` names in what an import writes; undefined for all. */
export interface ImportedInto {
  readonly entries?: readonly string[] | undefined;
  readonly declarations?: readonly string[] | undefined;
}

/** An import that knows what is declared already, what is new, and where to write that. */
export interface PlannedImport extends ListedImport {
  /** In epoch milliseconds. */
  readonly now: number;
  readonly pairing: Pairing;
  readonly only: ImportedInto;
  readonly plan: ImportPlan;
  readonly targets: Targets;
  /** The schema for editors, as a file at that path names it. */
  readonly schemaFor: (path: string) => string | undefined;
  /** The path of the schema, if one is written. */
  readonly schema: string | undefined;
  readonly followsDashboard: FollowsDashboard;
}
