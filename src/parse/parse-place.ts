// A place of the state on one line, as `--from` takes it: as the settings that almanac.yaml would have under `state`.

import type { JsonObject } from '../model/values/json.ts';
import { parseUrl } from '../model/values/parse-url.ts';

/** The forms, for messages. */
export const placeForms = 'local:FILE, git:BRANCH, git:BRANCH@REMOTE, s3://BUCKET/PREFIX, postgres:NAME';

/** Not checked yet: the rules of almanac.yaml say whether the settings are valid. Undefined for any other text. */
export function parsePlace(text: string): JsonObject | undefined {
  const [, backend = '', rest = ''] = /^([a-z0-9]+):(.+)$/s.exec(text) ?? [];
  switch (backend) {
    case 'local':
      return { backend, path: rest };
    case 'git': {
      const at = rest.indexOf('@');
      return at < 0 ? { backend, branch: rest } : { backend, branch: rest.slice(0, at), remote: rest.slice(at + 1) };
    }
    case 's3': {
      const url = parseUrl(text);
      if (url === undefined || !rest.startsWith('//')) return undefined;
      const prefix = url.pathname.replace(/^\/+/, '');
      return { backend, bucket: url.hostname, ...(prefix === '' ? {} : { prefix }), ...settingsIn(url.searchParams) };
    }
    case 'postgres': {
      const [name = '', query = ''] = rest.split('?', 2);
      return { backend, name, ...settingsIn(new URLSearchParams(query)) };
    }
    default:
      return undefined;
  }
}

/** Everything else that almanac.yaml can say about the place, as in `?region=eu-central-1`. */
function settingsIn(query: URLSearchParams): JsonObject {
  return Object.fromEntries([...query].map(([name, value]) => [name, value === 'true' ? true : value]));
}
