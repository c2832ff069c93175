// The table of almanac.yaml. `environments` has the same parts; those of the chosen environment override these.

import { allowing } from '../values/allowances.ts';
import { checkableCodes, codes } from '../workspace/codes.ts';
import type { Fields, Shape } from './field.ts';
import * as patterns from './patterns.ts';
import { domain, tokenVariable } from './patterns.ts';
import { choice, dashboardOrTile, filled, flag, webAddress } from './shapes.ts';

/** The message for a reference in almanac.yaml. */
export const notInterpolatedWords = 'almanac.yaml is not interpolated: the ${…} would be used literally.';

// The table of `deliver`: the sinks of an environment. If there are sinks, nothing reaches the declared receivers.

/** Written in place of a sink: what delivers there is an error in the environment. */
export const refused = 'refuse';
/** Written in place of a sink: what delivers there does not exist in the environment. */
export const skipped = 'skip';

const withoutSink = choice({
  [refused]: 'a resource that delivers there is an error in this environment, as when this is left out',
  [skipped]: 'a resource that delivers there does not exist in this environment, as if its `in` left it out',
});
const noSink = `${refused}|${skipped}`;

const deliverFields = {
  email: {
    shape: {
      type: 'textOrList',
      pattern: `^(?:${noSink})$|${patterns.emailShape}`,
      patternWords: 'E-mail addresses, such as `[qa@acme.com]`, `refuse` or `skip`.',
      code: 'invalid-email',
    },
    words: 'The e-mail addresses that receive every e-mail of this environment, `refuse` or `skip`.',
  },
  slack: {
    shape: {
      type: 'string',
      pattern: `^(?:${noSink})$|^[CG][A-Z0-9]{2,}$`,
      patternWords: 'The id of one Slack channel, such as `C0123456789`, `refuse` or `skip`.',
      code: 'one-slack-channel',
    },
    words: 'The id of the Slack channel that receives every Slack message of this environment, `refuse` or `skip`.',
  },
  webhook: {
    shape: {
      ...webAddress,
      pattern: `^(?:${noSink})$|${patterns.urlShape}`,
      patternWords: 'A URL that begins with `http://` or `https://` and names a host, `refuse` or `skip`.',
    },
    words:
      'The URL that every webhook of this environment calls, also for the events of AI jobs (`webhookUrl`), `refuse` or `skip`.',
  },
  s3: {
    shape: withoutSink,
    words: 'Nothing can replace a bucket: `refuse` or `skip`.',
  },
  sftp: {
    shape: withoutSink,
    words: 'Nothing can replace an SFTP server: `refuse` or `skip`.',
  },
} as const satisfies Fields;

const baseUrl: Shape = {
  type: 'string',
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$',
  patternWords: 'The URL of your Omni instance, such as `https://acme.omniapp.co/api`.',
  code: 'invalid-base-url',
};

const api: Shape = {
  type: 'object',
  fields: {
    baseUrl: {
      shape: baseUrl,
      words:
        'The URL of your Omni instance, such as `https://acme.omniapp.co/api`; `/api` is added if it is missing. When omitted, the environment variable `OMNI_BASE_URL` is used.',
    },
    operations: {
      shape: choice({
        core: 'the documented minimum: schedules are created, but never updated or deleted; after a change the old schedule keeps running as an orphan',
        full: 'the whole public API: schedules are updated, paused and deleted in place',
      }),
      default: 'core',
      words: 'Which operations of the service Almanac uses.',
    },
    rateLimit: {
      shape: { type: 'integer', minimum: 0 },
      default: 60,
      words: 'Maximum requests per minute; `0` means no limit. The service allows 60.',
    },
    concurrency: {
      shape: { type: 'integer', minimum: 1, maximum: 100 },
      default: 4,
      words: 'Maximum number of requests in flight at the same time.',
    },
    timeout: {
      shape: { type: 'integer', minimum: 1, maximum: 3600 },
      default: 30,
      words: 'Maximum duration of a request, in seconds.',
    },
    tokenEnv: {
      shape: {
        type: 'string',
        pattern: tokenVariable,
        patternWords:
          'The name of a variable that begins with `OMNI_` or `ALMANAC_` and has `TOKEN` or `KEY` as a word, such as `OMNI_STAGING_TOKEN`.',
      },
      words:
        'The environment variable that contains the API token. Its name begins with `OMNI_` or `ALMANAC_` and has `TOKEN` or `KEY` as a word, so that a file cannot send another secret to the service. When omitted, `OMNI_API_TOKEN` is used, or `OMNI_API_KEY` if that is not set. Never write the token itself into a file.',
    },
  },
};

const sqlName: Shape = {
  type: 'string',
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$',
  patternWords: 'A name of letters, digits and `_` that does not begin with a digit, such as `almanac_log`.',
};

/** A pattern for branches as users write them; `branchFault` knows the whole rule. */
const branch: Shape = {
  type: 'string',
  minLength: 1,
  pattern: '^[^-\\s~^:?*\\[\\\\][^\\s~^:?*\\[\\\\]*$',
  patternWords: 'The name of a branch, such as `almanac-state`.',
  explained: true,
};

export const stateFields = {
  backend: {
    shape: choice({
      local: 'a file next to the configuration, for one machine at a time',
      git: 'a branch of a git repository',
      s3: 'objects in an S3 bucket, or one of a compatible server',
      postgres: 'a table in a PostgreSQL database',
    }),
    default: 'local',
    words: 'Where the state is kept. Several machines can share every place but `local`.',
  },
  path: {
    shape: {
      type: 'string',
      minLength: 1,
      pattern: '^(?!.*(?:/|\\.(?:ya?ml|csv|md))$).*$',
      patternWords: 'The path of a JSON file in this folder, such as `almanac.state.json`.',
    },
    words:
      'The state file, relative to this file and inside its folder. When omitted: `almanac.state.json`, with `--env NAME` `almanac.state.NAME.json`.',
    backends: ['local'],
  },
  remote: {
    shape: {
      type: 'string',
      minLength: 1,
      pattern: '^[A-Za-z0-9_][A-Za-z0-9._/+-]*$',
      patternWords: 'The name of a remote, such as `origin`.',
      explained: true,
    },
    default: 'origin',
    words:
      'The repository: the name of a remote of this clone. `git remote add state URL` adds another one. Git uses the credentials of this clone.',
    backends: ['git'],
  },
  branch: {
    shape: branch,
    words:
      'The branch that holds the state and nothing else. When omitted: `almanac-state`, and with `--env NAME`: `almanac-state-NAME`.',
    backends: ['git'],
  },
  bucket: {
    shape: {
      type: 'string',
      pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      patternWords: 'The name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens.',
    },
    words: 'The bucket. Required.',
    backends: ['s3'],
  },
  prefix: {
    shape: {
      type: 'string',
      pattern: "^/?(?!\\.{1,2}(?:/|$))[A-Za-z0-9!_.*'()=-]+(?:/(?!\\.{1,2}(?:/|$))[A-Za-z0-9!_.*'()=-]+)*/?$",
      patternWords:
        'The start of the names of the objects, such as `almanac/production`: letters, digits, `-`, `_`, `.` and `/`.',
    },
    words:
      'What the names of the objects begin with. When omitted: `almanac`, and with `--env NAME`: `almanac-NAME`. Each state needs its own.',
    backends: ['s3'],
  },
  region: {
    shape: {
      type: 'string',
      pattern: '^[A-Za-z0-9-]+$',
      patternWords: 'The region of the bucket, such as `eu-central-1`.',
    },
    words: 'The region of the bucket. When omitted, `AWS_REGION` or `AWS_DEFAULT_REGION` is used.',
    backends: ['s3'],
  },
  endpoint: {
    shape: {
      type: 'string',
      minLength: 1,
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s@?#]+$',
      patternWords: 'The URL of a server, such as `https://s3.example.com`.',
      explained: true,
    },
    words: 'The URL of a server that is compatible with S3. When omitted, the bucket is in AWS.',
    backends: ['s3'],
  },
  schema: {
    shape: sqlName,
    words: 'The schema of the table. When omitted, the search path of the database decides.',
    backends: ['postgres'],
  },
  table: {
    shape: sqlName,
    default: 'almanac_log',
    words: 'The table. Several states can share one.',
    backends: ['postgres'],
  },
  name: {
    shape: {
      type: 'string',
      pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$',
      patternWords: 'A name of letters, digits, `.`, `_`, `/` and `-`, such as `production`.',
    },
    words:
      'The name of this state within the table. When omitted: `almanac`, and with `--env NAME`: `almanac-NAME`. The address of the server comes from `ALMANAC_STATE_URL`, or from `PGHOST` and the like.',
    backends: ['postgres'],
  },
  lease: {
    shape: { type: 'integer', minimum: 1, maximum: 86_400 },
    words:
      'The seconds after which another run may take over the lock of a run that gave no sign of life. At least twice `api.timeout` and 30 more. When omitted: 120, or that least number where it is larger.',
    backends: ['git', 's3', 'postgres'],
  },
} as const satisfies Fields;

const state: Shape = { type: 'object', fields: stateFields };

const variables: Shape = { type: 'object', entries: { type: 'anything' } };

/** The fields that an environment may override. */
export const environmentFields = {
  api: { shape: api, words: 'How the service is reached.' },
  state: { shape: state, words: 'Where Almanac keeps what it applied.' },
  variables: {
    shape: variables,
    words: 'Values for `${var.NAME}` in source files: strings, numbers, booleans, lists or maps.',
  },
  deliver: {
    shape: { type: 'object', fields: deliverFields },
    words:
      'The sinks of this environment: nothing reaches those who are declared. Every recipient is replaced by the sink of its destination. A resource whose destination has no sink is an error; with `skip` it does not exist here.',
  },
} as const satisfies Fields;

export const configFields = {
  api: environmentFields.api,
  sources: {
    shape: {
      type: 'list',
      items: {
        type: 'string',
        minLength: 1,
        pattern: '^(?!!?[/\\\\])(?!.*\\.\\.)',
        patternWords: 'A glob inside the workspace: relative, without `..`.',
      },
      minItems: 1,
    },
    default: ['schedules/**/*.{yaml,yml}'],
    words: 'Globs of the source files, relative to this file and inside its folder.',
  },
  state: environmentFields.state,
  variables: environmentFields.variables,
  environmentRequired: flag({
    words:
      'When `true`, every command that reads the state or sends a request needs `--env`. A resource with `in` has the same effect.',
  }),
  safety: {
    shape: {
      type: 'object',
      fields: {
        maxDeletePercent: {
          shape: { type: 'integer', minimum: 0, maximum: 100 },
          default: 30,
          words:
            'The largest share, in percent, that a plan may delete, replace or forget without `--force`: of the tracked resources, and of the instances of each loop. Each is judged once at least ten are tracked.',
        },
        allowOrphans: flag({
          words: `With operations core: whether an apply may leave untracked schedules running, as with \`${allowing('orphans')}\`.`,
        }),
        internalDomains: {
          shape: {
            type: 'list',
            items: {
              type: 'string',
              pattern: domain,
              patternWords: 'A domain with a dot, such as `acme.com`, without `@`, `*` or a URL around it.',
            },
            uniqueItems: true,
          },
          default: [],
          words:
            'The domains that count as inside, with their subdomains. Reports warn of every other domain or host that receives something for the first time, and the check `recipient-not-inside` reports every other e-mail address that receives something.',
        },
        rows: {
          shape: {
            type: 'object',
            fields: {
              filters: {
                shape: {
                  type: 'list',
                  items: { type: 'string', minLength: 1 },
                  minItems: 1,
                  uniqueItems: true,
                },
                required: true,
                words: 'The ids of the filters that divide the rows among receivers, such as `customer`.',
              },
              allow: filled({
                required: true,
                words:
                  'The table of permissions, a CSV file relative to this one, with the columns `shows` and `receiver`, and if wanted `until` and others: `North Pine,cfo@northpine.example`. `shows` is a value of the filter as it is sent, or `*` for every row. No loop may read it.',
              }),
              shared: {
                shape: { type: 'list', items: dashboardOrTile, uniqueItems: true },
                default: [],
                words:
                  'The identifiers of dashboards whose rows belong to nobody, `DASHBOARD/TILE` for a tile, or `DASHBOARD/TILE:COLUMN` for a column. Only `almanac prove` asks about tiles and columns.',
              },
              ended: {
                shape: choice({
                  leave: 'an apply does not send what would reach that receiver, and the schedule goes on',
                  pause: 'as `leave`, and a plan also pauses the schedule; needs `operations: full`',
                }),
                default: 'leave',
                words: 'What happens once the `until` of a line is over and a schedule still goes to its receiver.',
              },
            },
          },
          words:
            'Which rows belong to whom: the check `rows-of-others` reports every receiver outside, user group, host and bucket that gets rows which a table does not allow, or of which the rows are not known.',
        },
      },
    },
    words: 'Limits beyond which an apply is refused.',
  },
  checks: {
    shape: {
      type: 'object',
      entries: choice({
        off: 'it is not reported',
        warning: 'it is reported and stops nothing',
        error: 'it stops plan and apply, as any error',
      }),
      names: Object.fromEntries(checkableCodes.map((code) => [code, codes[code].summary])),
      namesWords:
        'The code of a warning, `filter-shape`, `rows-of-others`, or `unknown-option`, which can only be `off`. No check can change another error, or a note.',
    },
    words:
      'How severe warnings are, by their code, and the errors `filter-shape`, `rows-of-others`, `owner-unknown`, `same-state-place`. The note `unknown-option` can be `off`. Other errors and notes stay what they are.',
  },
  ignore: {
    shape: {
      type: 'list',
      items: {
        type: 'object',
        minFields: 1,
        fields: {
          identifier: filled({
            words: 'The identifier of the dashboard.',
          }),
          name: filled({
            words: 'The name of the schedule.',
          }),
          owner: filled({
            words: 'The name of the owner, as `almanac drift --untracked` shows it.',
          }),
          state: {
            shape: { type: 'textOrRecord', fields: stateFields },
            words:
              'Alone in its entry: the place of another state of this organization, as in `state` of almanac.yaml, or the path of its file, relative to this file. What it tracks is neither untracked nor imported, and cannot be adopted. The other environments and workspaces of this repository need no entry where their states are at the server of this one.',
          },
        },
      },
    },
    default: [],
    words:
      'Schedules that nobody needs to declare: drift and `plan --refresh` leave them out of what is untracked. Every field of an entry must match; `*` stands for any text. An entry with `state` leaves out what another state tracks.',
  },
} as const satisfies Fields;
