/** A Redis of a test's own, where one is installed: on a free port, with a temporary folder. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

const PROGRAM = ['redis-server', 'valkey-server'].find(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
);

export const hasRedis = PROGRAM !== undefined;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a server has no port');
  return address.port;
}

export class TestRedis {
  #process: ChildProcess | null = null;

  private constructor(
    private readonly port: number,
    private readonly password: string,
    private readonly folder: string,
  ) {}

  /** @param folder for what it writes */
  static async start(folder: string, password = ''): Promise<TestRedis> {
    const redis = new TestRedis(await freePort(), password, folder);
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://${this.password === '' ? '' : `:${this.password}@`}127.0.0.1:${this.port}`;
  }

  /** Begins with nothing. */
  async start(): Promise<void> {
    const options = ['--port', `${this.port}`, '--bind', '127.0.0.1', '--dir', this.folder];
    const kept = ['--save', '', '--appendonly', 'no'];
    const secret = this.password === '' ? [] : ['--requirepass', this.password];
    const child = spawn(PROGRAM ?? 'redis-server', [...options, ...kept, ...secret], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (text: Buffer) => {
        if (text.toString().includes('Ready to accept connections')) resolve();
      });
      child.on('exit', () => reject(new Error('Redis has not started')));
    });
  }

  /** Forgets everything. */
  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}
