import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MoreauError } from '@contract/errors';
import { MAX_DOCUMENT_BYTES, type MethodName, methodParams, type MethodParams } from '@contract/methods';
import type { EngineHost } from '@main/host/host';
import { hostMethods } from '@main/host/methods';
import { bouncingBall } from './models';
import { createHost, failure } from './support';

let host: EngineHost;
beforeAll(() => {
  host = createHost();
});
afterAll(() => host.dispose());

/** Calls with anything, as a transport would. */
const call = (method: string, params: unknown): Promise<unknown> =>
  host.dispatch(method as MethodName, params as MethodParams<MethodName>);

describe('dispatch', () => {
  it('implements every method of the contract and no other', () => {
    expect(Object.keys(hostMethods).sort()).toEqual(Object.keys(methodParams).sort());
  });

  it.each(['nope', 'constructor', '__proto__', 'toString', ''])(
    'refuses the unknown method “%s”',
    async (name) => {
      const error = await call(name, {}).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(MoreauError);
      expect((error as MoreauError).details.code).toBe('unknown-method');
    },
  );

  it('names the path of the first parameter that is not valid', async () => {
    const details = await failure(call('run.read', { runId: 'run-1', signals: ['t', 7], buckets: 100 }));
    expect(details).toMatchObject({ code: 'invalid-params', where: 'signals[1]' });
    expect(details.message).toContain('run.read: signals[1]');
  });

  it.each([
    ['a key the contract does not know', 'app.info', { extra: 1 }],
    ['no parameters at all', 'run.get', undefined],
    ['too many buckets', 'run.read', { runId: 'run-1', signals: ['t'], buckets: 1e6 }],
    ['a document that is no object', 'run.start', { document: 'text' }],
    ['an example name that is a path', 'examples.read', { name: '../../package' }],
    ['a step that is not positive', 'run.start', { document: bouncingBall(), h: 0 }],
  ])('refuses %s', async (_what, method, params) => {
    expect((await failure(call(method, params))).code).toBe('invalid-params');
  });

  it.each(['run.get', 'run.pause', 'run.resume', 'run.cancel', 'run.delete'])(
    '%s names an unknown run',
    async (method) => {
      expect(await failure(call(method, { runId: 'run-77' }))).toMatchObject({
        code: 'unknown-run',
        where: 'run-77',
      });
    },
  );

  it('refuses a text beyond the limit before it parses it', async () => {
    const text = '['.repeat(MAX_DOCUMENT_BYTES + 1);
    const details = await failure(host.dispatch('document.read', { text }));
    expect(details.code).toBe('document-too-large');
    expect(details.remedy).toContain('builder script');
  });

  it('opens every example, and each is valid', async () => {
    const examples = await host.dispatch('examples.list', {});
    expect(examples.length).toBeGreaterThan(0);
    for (const { name, title } of examples) {
      const { text } = await host.dispatch('examples.read', { name });
      const { document } = await host.dispatch('document.read', { text });
      expect(document?.title).toBe(title);
      const report = await host.dispatch('document.report', { document: document ?? bouncingBall() });
      expect(report.issues.filter((issue) => issue.severity === 'error')).toEqual([]);
    }
  });

  it('names the examples there are when one is not found', async () => {
    const details = await failure(host.dispatch('examples.read', { name: 'no-such' }));
    expect(details.code).toBe('unknown-example');
    expect(details.remedy).toContain('bouncing-ball');
  });

  it('refuses calls after the end', async () => {
    const other = createHost();
    await other.dispose();
    expect((await failure(other.dispatch('app.info', {}))).code).toBe('host-closed');
  });
});

describe('document.report with a builder script', () => {
  const source = (body: string): string[] => [
    `export default (model: ModelBuilder, p: Parameters) => { ${body} };`,
  ];

  it('contains what the script built', async () => {
    const document = bouncingBall({
      builder: source(
        "model.system({ id: 'second', type: 'LagrangianLinearTI', ndof: 1, mass: [[1]], q0: [2], v0: [0] });",
      ),
    });
    const report = await host.dispatch('document.report', { document });
    expect(report.built?.systems.map((system) => system.id)).toEqual(['second']);
    expect(report.signals.map((signal) => signal.name)).toContain('second.q');
  });

  it('becomes an issue at the script when it throws', async () => {
    const document = bouncingBall({ builder: source("throw new Error('too few beads');") });
    const report = await host.dispatch('document.report', { document });
    const issue = report.issues.find((one) => one.pointer === '/scripts/0');
    expect(issue?.severity).toBe('error');
    expect(issue?.message).toContain('too few beads');
    expect(issue?.script?.line).toBe(1);
    expect(report.signals).toEqual([]);
  });

  it('is ended when it does not return', async () => {
    const document = bouncingBall({ builder: source('for (;;);') });
    const report = await host.dispatch('document.report', { document });
    expect(report.issues).toContainEqual(
      expect.objectContaining({ code: 'builder-timeout', pointer: '/scripts/0', element: 'builder.ts' }),
    );
  });
});
