// Loaded before a measured program (`node --require`): writes the peak resident set of its process, in kB.

const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  writeFileSync(process.env.PEAK_MEMORY_FILE, String(process.resourceUsage().maxRSS));
});
