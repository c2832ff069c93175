// Every text that is printed is read as that text by PyYAML too. PyYAML serves yamllint, Ansible and pre-commit; its
// own loader reads, and libyaml's where built in. Without python3 and PyYAML the test is left out with a warning.

import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../support/runs/runs.ts';
import { arbitraryOddText, oddTexts } from '../../support/yaml/odd-texts.ts';
import { places, printed } from '../../support/yaml/printed-texts.ts';

const script = `
import json, sys, yaml
loaders = [getattr(yaml, name) for name in ("SafeLoader", "CSafeLoader") if hasattr(yaml, name)]
wrong = []
for text, documents in json.load(sys.stdin):
    for document in documents:
        for loader in loaders:
            try:
                found = yaml.load(document, loader)["a"]
                found = found if isinstance(found, str) else list(found)[0]
            except yaml.YAMLError as error:
                found = error
            if found != text:
                wrong.append([loader.__name__, document, repr(found)[:200]])
json.dump(wrong, sys.stdout)
`;

const isThere = spawnSync('python3', ['-c', 'import yaml']).status === 0;
if (!isThere)
  console.warn('python3 with PyYAML is not installed, so PyYAML is not asked how it reads what is printed.');

it.skipIf(!isThere)(
  'PyYAML takes every printed text for itself, in blocks and in brackets, as a value and as a key',
  () => {
    // No file in UTF-8 can hold half of a pair, and libyaml refuses its escape.
    const random = fc.sample(arbitraryOddText, runs(4000)).filter((text) => !/\p{Surrogate}/u.test(text));
    const asked = [...oddTexts, ...random].map((text) => [text, places.map((place) => `${printed(text, place)}\n`)]);
    const { stdout, stderr } = spawnSync('python3', ['-c', script], {
      input: JSON.stringify(asked),
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([]);
  },
);
