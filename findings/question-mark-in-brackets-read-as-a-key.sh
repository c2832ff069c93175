#!/usr/bin/env bash
# Seen 2026-11-28 with PyYAML 6.0.3 (built with libyaml 0.2.5) on Python 3.11.7, and yaml@2.9.1 on Node 20.20.2.
# Expected: `[?x]`, `[What?]` and `[:x]` are lists of one text each, as YAML 1.2 says and as the npm package yaml reads them.
# Seen: both loaders of PyYAML read `[?x]` as a list of one map, without an error. They differ about `[What?]`: a syntax error
# for its own loader, the text for the loader of libyaml. `[:x]` is an error for both. In a block, all read the same text.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts yaml@2.9.1 >/dev/null 2>&1
python3 -m pip install --quiet --target packages pyyaml==6.0.3 >/dev/null 2>&1
cat >ask.cjs <<'SCRIPT'
const { parse } = require('yaml');
for (const text of process.argv.slice(2)) console.log('yaml', text, JSON.stringify(parse(text)));
SCRIPT
cat >ask.py <<'SCRIPT'
import json, sys, yaml
for loader in (yaml.SafeLoader, yaml.CSafeLoader):
    for text in sys.argv[1:]:
        try:
            found = json.dumps(yaml.load(text, loader))
        except yaml.YAMLError:
            found = "error"
        print(loader.__name__, text, found)
SCRIPT
texts=('[?x]' '[What?]' '[:x]' '- ?x' '- What?' '- :x')
{
  node ask.cjs "${texts[@]}"
  PYTHONPATH="$folder/packages" python3 ask.py "${texts[@]}"
} >now.txt
cat >seen.txt <<'TEXT'
yaml [?x] ["?x"]
yaml [What?] ["What?"]
yaml [:x] [":x"]
yaml - ?x ["?x"]
yaml - What? ["What?"]
yaml - :x [":x"]
SafeLoader [?x] [{"x": null}]
SafeLoader [What?] error
SafeLoader [:x] error
SafeLoader - ?x ["?x"]
SafeLoader - What? ["What?"]
SafeLoader - :x [":x"]
CSafeLoader [?x] [{"x": null}]
CSafeLoader [What?] ["What?"]
CSafeLoader [:x] error
CSafeLoader - ?x ["?x"]
CSafeLoader - What? ["What?"]
CSafeLoader - :x [":x"]
TEXT
diff seen.txt now.txt
