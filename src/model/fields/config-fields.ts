// The table of almanac.yaml. `environments` holds the same parts again, laid over these when an environment is chosen.

import type { Fields, Shape } from './field.ts';

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
        'The URL of your Omni instance, such as `https://acme.omniapp.co/api`; `/api` is added where it lacks. Left out: the environment variable `OMNI_BASE_URL`.',
    },
    operations: {
      shape: {
        type: 'choice',
        choices: {
          core: 'the documented minimum: schedules are created, never updated or deleted; a change leaves the old schedule running as an orphan',
          full: 'the whole public API: schedules are updated, paused and deleted in place',
        },
      },
      default: 'core',
      words: 'Which operations of the service Almanac uses.',
    },
    rateLimit: {
      shape: { type: 'integer', minimum: 0 },
      default: 60,
      words: 'Requests a minute and token; `0` is no limit. The service allows 60.',
    },
    concurrency: {
      shape: { type: 'integer', minimum: 1, maximum: 100 },
      default: 4,
      words: 'How many requests are under way at once.',
    },
    timeout: {
      shape: { type: 'integer', minimum: 1, maximum: 3600 },
      default: 30,
      words: 'Seconds that a request may take.',
    },
    tokenEnv: {
      shape: {
        type: 'string',
        pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
        patternWords: 'The name of an environment variable.',
      },
      words:
        'The environment variable that holds the API token, or several separated by commas. Left out: `OMNI_API_TOKEN`, and where that is not set `OMNI_API_KEY`. The token itself never stands in a file.',
    },
  },
};

const state: Shape = {
  type: 'object',
  fields: {
    backend: {
      shape: { type: 'choice', choices: { local: 'a file beside the configuration' } },
      default: 'local',
      words: 'Where the state is kept.',
    },
    path: {
      shape: { type: 'string', minLength: 1 },
      default: 'almanac.state.json',
      words: 'The state file, relative to this file.',
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
    words: 'Values for `${var.NAME}` in source files: texts, numbers, booleans, lists or maps.',
  },
} as const satisfies Fields;

export const configFields = {
  api: environmentFields.api,
  sources: {
    shape: { type: 'list', items: { type: 'string', minLength: 1 }, minItems: 1 },
    default: ['schedules/**/*.{yaml,yml}'],
    words: 'Globs of the source files, relative to this file.',
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
            'From ten tracked resources up, a plan that deletes, replaces or forgets more of them than this, in percent, needs `--force`.',
        },
        allowOrphans: {
          shape: { type: 'boolean' },
          default: false,
          words:
            'With operations core: whether an apply may leave schedules running that are no longer tracked, as `--allow-orphans` does.',
        },
      },
    },
    words: 'What an apply refuses.',
  },
} as const satisfies Fields;
