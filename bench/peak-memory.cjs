// Loaded before a measured program (`node --require`): writes the peak resident set of its process, in kB. Threads load
// it as well; theirs is the same process.

const { writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  process.on('exit', () => {
    writeFileSync(process.env.PEAK_MEMORY_FILE, String(process.resourceUsage().maxRSS));
  });
}
