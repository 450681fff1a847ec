import './prepare.ts';

const { runAdmin } = await import('./app/run-admin.ts');

// The reader of the output may have had enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  console.error(`The output could not be written: ${error.message}. The command may have done its work.`);
  process.exit(1);
});
// The first process of a container has no default for signals; elsewhere that is better, as a handler waits for the embedded
// database. The database undoes what was not committed.
if (process.pid === 1) {
  const interrupt = (_signal: NodeJS.Signals, number: number) => process.exit(128 + number);
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
}
process.exitCode = await runAdmin(process.argv.slice(2));
