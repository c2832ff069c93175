// The table of almanac.yaml. `environments` has the same parts; those of the chosen environment override these.

import type { Fields, Shape } from './field.ts';
import { domain, tokenVariable } from './patterns.ts';

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
      shape: {
        type: 'choice',
        choices: {
          core: 'the documented minimum: schedules are created, but never updated or deleted; after a change the old schedule keeps running as an orphan',
          full: 'the whole public API: schedules are updated, paused and deleted in place',
        },
      },
      default: 'core',
      words: 'Which operations of the service Almanac uses.',
    },
    rateLimit: {
      shape: { type: 'integer', minimum: 0 },
      default: 60,
      words: 'Maximum requests per minute and token; `0` means no limit. The service allows 60.',
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

const state: Shape = {
  type: 'object',
  fields: {
    backend: {
      shape: { type: 'choice', choices: { local: 'a file next to the configuration' } },
      default: 'local',
      words: 'Where the state is kept.',
    },
    path: {
      shape: { type: 'string', minLength: 1 },
      default: 'almanac.state.json',
      words: 'The state file, relative to this file and inside its folder. Only `--state` names one elsewhere.',
    },
  },
};

const variables: Shape = { type: 'object', entries: { type: 'anything' } };

/** What an environment may override. */
export const environmentFields = {
  api: { shape: api, words: 'How the service is reached.' },
  state: { shape: state, words: 'Where Almanac keeps what it applied.' },
  variables: {
    shape: variables,
    words: 'Values for `${var.NAME}` in source files: strings, numbers, booleans, lists or maps.',
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
  safety: {
    shape: {
      type: 'object',
      fields: {
        maxDeletePercent: {
          shape: { type: 'integer', minimum: 0, maximum: 100 },
          default: 30,
          words:
            'The largest share of tracked resources, in percent, that a plan may delete, replace or forget without `--force`. Applies once at least ten resources are tracked.',
        },
        allowOrphans: {
          shape: { type: 'boolean' },
          default: false,
          words:
            'With operations core: whether an apply may leave untracked schedules running, as with `--allow-orphans`.',
        },
        internalDomains: {
          shape: {
            type: 'list',
            items: {
              type: 'string',
              pattern: domain,
              patternWords: 'A domain such as `acme.com`, without `@`, `*` or a URL around it.',
            },
            uniqueItems: true,
          },
          default: [],
          words:
            'The domains that count as inside, with their subdomains. Reports warn of every other domain or host that receives something for the first time.',
        },
      },
    },
    words: 'Limits beyond which an apply is refused.',
  },
} as const satisfies Fields;
