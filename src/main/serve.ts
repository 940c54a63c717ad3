/** Entry of the browser door: `node out/main/serve.js [--port P]`. */
import { parseArgs } from 'node:util';
import { MoreauError } from '@contract/errors';
import { installation } from './installation';
import { runBrowserDoor } from './server/run-door';

function portFromArguments(): number {
  const { values } = parseArgs({ options: { port: { type: 'string' } } });
  const port = Number(values.port ?? 0);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new MoreauError({
    code: 'invalid-port',
    message: `${values.port ?? ''} is not a port.`,
    remedy: 'Give a number from 1 to 65535.',
  });
}

try {
  await runBrowserDoor(installation(import.meta.url), portFromArguments());
} catch (error) {
  const remedy = error instanceof MoreauError ? ` ${error.details.remedy ?? ''}` : '';
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${remedy}\n`);
  process.exitCode = error instanceof MoreauError ? 2 : 1;
}
