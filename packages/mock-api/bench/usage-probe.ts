// Loaded into each server with --import: sends the resource usage of the process to the benchmark.

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() });
});
// Exits when the benchmark exits or crashes.
process.on('disconnect', () => process.exit());
process.channel?.unref();
