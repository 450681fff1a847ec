import './runtime.ts';

const { getSystemErrorMessage } = await import('node:util');
const { runAdmin } = await import('./app/run-admin.ts');

// The reader may close the pipe early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  const cause = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno);
  console.error(`Cannot write the output: ${cause}. The command may have completed.`);
  process.exit(1);
});
// PID 1 has no default signal handlers. Elsewhere a handler would only wait for the embedded database.
if (process.pid === 1) {
  const interrupt = (_signal: NodeJS.Signals, number: number) => process.exit(128 + number);
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
}
process.exitCode = await runAdmin(process.argv.slice(2));
