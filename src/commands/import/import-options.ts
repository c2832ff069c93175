// The input of an import: what the user asked for, and the ports that it works with.

import type { Loaded } from '../../declare/load/load.ts';
import type { Environment } from '../../declare/load/load-config.ts';
import type { Workspace } from '../../declare/workspace.ts';
import type { SchemaSettings } from '../../declare/workspace-schema.ts';
import type { Clock, ImportReporter, ProgressFile, Randomness } from '../../model/outside.ts';
import type { Service } from '../../service/service.ts';
import type { StateStore } from '../../state/state-store.ts';

export interface ImportOptions {
  readonly loaded: Loaded;
  /** Reads the workspace again. These values of variables come before those of the environment. */
  readonly reload: (values: ReadonlyMap<string, string>) => Promise<Loaded>;
  readonly workspace: Workspace;
  readonly store: StateStore;
  readonly progress: ProgressFile;
  readonly service: Service;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly reporter: ImportReporter;
  readonly toolVersion: string;
  /** The text of the schema of source files, for a workspace with these settings. */
  readonly schemaText: (settings: SchemaSettings) => string;
  /** Only these dashboards; empty for all. */
  readonly identifiers: readonly string[];
  /** Whether to import the filters of dashboards as well. */
  readonly dashboards: boolean;
  /** The folder to write to, relative to the workspace; undefined for the folder of the first source glob. */
  readonly folder: string | undefined;
  /** Whether to record the import in the state instead of writing adopt entries. */
  readonly writeState: boolean;
  readonly resume: boolean;
  readonly force: boolean;
  readonly signal: AbortSignal;
}
