// Loaded into each server with --import: tells the bench what the process has used so far.

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() });
});
// The server ends with the bench, however that ends.
process.on('disconnect', () => process.exit());
process.channel?.unref();
