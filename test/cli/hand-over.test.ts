/**
 * A command that is handed over to another Node: its arguments, its marks, its end, signals, and what happens
 * where that Node does not start.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../main/support';

const MODULE = pathToFileURL(join(ROOT, 'bin/hand-over.mjs')).href;

/** A program that hands over. @param child code of the process that takes over */
const handing = (program: string, child: string): string[] => [
  '--input-type=module',
  '--eval',
  `import { handOver } from ${JSON.stringify(MODULE)};
   handOver(${JSON.stringify(program)}, ['--eval', ${JSON.stringify(child)}, 'an argument'], { MARK: 'x' }, () => {
     console.log('by itself');
     process.exitCode = 3;
   });`,
];

describe('a command that is handed over', () => {
  it('has its arguments, its marks and its exit code', () => {
    const child = 'console.log(process.argv[1], process.env.MARK); process.exitCode = 5;';
    const { status, stdout } = spawnSync(process.execPath, handing(process.execPath, child), {
      encoding: 'utf8',
    });
    expect(stdout).toBe('an argument x\n');
    expect(status).toBe(5);
  });

  it('is run by itself where the other Node does not start', () => {
    const { status, stdout } = spawnSync(process.execPath, handing(join(ROOT, 'no-such-node'), ''), {
      encoding: 'utf8',
    });
    expect(stdout).toBe('by itself\n');
    expect(status).toBe(3);
  });

  it.skipIf(process.platform === 'win32')(
    'hears of signals once, and ends as the other process does',
    async () => {
      const child =
        "let heard = 0; process.on('SIGINT', () => { heard++; setTimeout(() => { console.log('heard', heard); process.exit(7); }, 200); }); setInterval(() => {}, 1000); console.log('ready');";
      const handed = spawn(process.execPath, handing(process.execPath, child), {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let said = '';
      handed.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (said === '' && text.includes('ready')) handed.kill('SIGINT');
        said += text;
      });
      const [code] = (await once(handed, 'close')) as [number | null];
      expect(said).toBe('ready\nheard 1\n');
      expect(code).toBe(7);
      const killed = spawnSync(
        process.execPath,
        handing(process.execPath, "process.kill(process.pid, 'SIGTERM')"),
      );
      expect(killed.signal).toBe('SIGTERM');
    },
  );
});
