#!/usr/bin/env bash
# Seen 2026-11-28 with PyYAML 6.0.3 on Python 3.11.7, and yaml@2.9.0 on Node 20.20.2.
# Expected: a list of texts that one YAML library writes is a list of the same texts in another one.
# Seen: PyYAML writes the texts 08, 1e5, 0o17 and 12e10945 without quotes, because YAML 1.1 takes none of them for a number,
# and quotes 1.10. A reader of YAML 1.2 gets the numbers 8, 100000, 15 and infinity. So a file that a script has made holds
# numbers where nobody typed one, and no error says so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check PyYAML==6.0.3
echo '{ "private": true }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts yaml@2.9.0 >/dev/null 2>&1
python/bin/python -c 'import yaml; print(yaml.safe_dump(["08", "1e5", "0o17", "12e10945", "1.10"]), end="")' >list.yaml
{
  cat list.yaml
  node -e 'for (const item of require("yaml").parse(require("fs").readFileSync("list.yaml", "utf8"))) console.log(typeof item, item)'
  python/bin/python -c 'import yaml; print(yaml.safe_load(open("list.yaml")))'
} >now.txt
cat >seen.txt <<'TEXT'
- 08
- 1e5
- 0o17
- 12e10945
- '1.10'
number 8
number 100000
number 15
number Infinity
string 1.10
['08', '1e5', '0o17', '12e10945', '1.10']
TEXT
diff seen.txt now.txt
