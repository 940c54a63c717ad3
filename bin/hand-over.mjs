/** Runs a command in another process in place of this one. */
import { spawn } from 'node:child_process';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Input, output and the end of the other process are those of this one.
 * @param {string} program; @param {string[]} given its arguments; @param {Record<string, string>} marks added to the environment
 * @param {() => void} otherwise called where the program does not start
 */
export function handOver(program, given, marks, otherwise) {
  const child = spawn(program, given, { stdio: 'inherit', env: { ...process.env, ...marks } });
  // A terminal interrupts both; what comes from elsewhere is passed on.
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  const passOn = SIGNALS.map((signal) => {
    const listener = () => void ((signal === 'SIGINT' && hasTerminal) || child.kill(signal));
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  const stop = () => passOn.forEach((off) => off());
  child.on('exit', (code, signal) => {
    stop();
    if (signal === null) process.exitCode = code ?? 1;
    else process.kill(process.pid, signal);
  });
  child.on('error', () => {
    stop();
    otherwise();
  });
}
