// Loaded before a measured program (`node --require`): writes the processor time and the largest resident set of its
// process. Threads load it as well; theirs is the same process.

const { writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage = { processorMilliseconds: (userCPUTime + systemCPUTime) / 1000, megabytes: maxRSS / 1024 };
    writeFileSync(process.env.USAGE_FILE, JSON.stringify(usage));
  });
}
