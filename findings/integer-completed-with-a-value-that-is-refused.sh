#!/usr/bin/env bash
# Seen 2026-11-28 with yaml-language-server@1.25.0 on Node 20.20.2.
# Expected: the completion of a property whose schema is an integer of at least 1 leaves the value to the author, or writes 1.
# Seen: it writes 0, which the same server then reports as too small. A schema whose types are string and integer, in that
# order, gets no value at all. So a schema without the keyword `default` can still make editors write a value.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts yaml-language-server@1.25.0 vscode-languageserver-textdocument@1.0.12 >/dev/null 2>&1
cat >ask.cjs <<'SCRIPT'
const { getLanguageService } = require('yaml-language-server');
const { TextDocument } = require('vscode-languageserver-textdocument');
const properties = { rate: { type: 'integer', minimum: 1 }, either: { type: ['string', 'integer'], minimum: 1 } };
const service = getLanguageService({
  schemaRequestService: async () => JSON.stringify({ type: 'object', properties }),
  workspaceContext: { resolveRelativePath: (path) => path },
  clientCapabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } } },
});
service.configure({ validate: true, completion: true });
service.registerCustomSchemaProvider(async () => 'file:///schema.json');
const open = (name, text) => TextDocument.create(`file:///${name}.yaml`, 'yaml', 1, text);
(async () => {
  const { items } = await service.doComplete(open('empty', ''), { line: 0, character: 0 }, false);
  for (const { insertText } of items) console.log(insertText.trimEnd());
  for (const { message } of await service.doValidation(open('taken', 'rate: 0\n'), false)) console.log(message);
})();
SCRIPT
cat >seen.txt <<'TEXT'
rate: ${1:0}
either:
Value is below the minimum of 1.
TEXT
node ask.cjs >now.txt
diff seen.txt now.txt
