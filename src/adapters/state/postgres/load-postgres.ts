// The package `postgres`, which users install next to Almanac if they keep their state in PostgreSQL.

import { Failure } from '../../../model/workspace/failure.ts';
import type { PostgresPackage } from './postgres-connection.ts';

/** Of an import, and of what the build makes of it. */
const notFound: ReadonlySet<unknown> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

/** Throws Failure state-backend-missing. `load` is replaced by tests. */
export async function loadPostgres(
  name: string,
  load: () => Promise<{ readonly default: PostgresPackage }> = () => import('postgres'),
): Promise<PostgresPackage> {
  try {
    return (await load()).default;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && notFound.has(error.code))) throw error;
    throw new Failure('state-backend-missing', `${name} needs the package postgres, which is not installed.`, {
      hint: 'Run `npm install postgres` where Almanac is installed, with --global if Almanac was installed so.',
    });
  }
}
