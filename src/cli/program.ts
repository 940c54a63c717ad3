/** The command line as a process: its streams, its signals, its exit code. */
import { fileError } from '@main/files/file-errors';
import { type CliContext, EXIT } from './command';
import { exitOf } from './exit-code';
import { main } from './main';
import { failureText } from './report';

/** Executes the command line of this process. */
export async function execute(begun: Pick<CliContext, 'place' | 'engineThread'>): Promise<void> {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', (error: Error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit(EXIT.done);
    const details = fileError('standard output', 'written', error).details;
    process.stderr.write(failureText(details));
    process.exit(exitOf(details));
  });
  // No one is left to report to.
  process.stderr.on('error', () => undefined);

  process.exitCode = await main(process.argv.slice(2), {
    ...begun,
    out: (text) => void process.stdout.write(text),
    note: (text) => void process.stderr.write(text),
    terminal: process.stderr.isTTY,
    onInterrupt: (action) => {
      let asked = false;
      const listener = (): void => {
        // The second time the user does not want to wait any more.
        if (asked) process.exit(EXIT.cancelled);
        asked = true;
        action();
      };
      process.on('SIGINT', listener);
      process.on('SIGTERM', listener);
      return () => {
        process.removeListener('SIGINT', listener);
        process.removeListener('SIGTERM', listener);
      };
    },
  });
}
