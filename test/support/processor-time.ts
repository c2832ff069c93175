// Milliseconds that this process has computed. What else runs on the machine does not count, so a limit on it holds
// under any load.

export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
