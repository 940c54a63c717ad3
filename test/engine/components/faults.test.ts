/** What is wrong with a drawing is said at the component or wire that it is about. */
import { describe, expect, it } from 'vitest';
import { reportDocument } from '@engine/preparation/report';
import { refusal, runFailure } from '../support/run';
import { drawn, type Part } from './drawn';
import { CIRCUIT_FAULTS, LOAD, SUPPLY } from './fault-cases';

describe('a fault of a drawing', () => {
  it.each(CIRCUIT_FAULTS.map((fault) => [fault.title, fault] as const))('%s', (_, fault) => {
    const { issues } = reportDocument(drawn(fault.parts));
    const found = issues.find(({ code }) => code === fault.code);
    expect(found, JSON.stringify(issues)).toMatchObject({
      pointer: fault.pointer,
      severity: fault.severity ?? 'error',
      message: expect.stringMatching(fault.message) as string,
    });
    expect(found?.remedy).not.toBe('');
    const others = issues.filter(({ code, severity }) => severity === 'error' && code !== fault.code);
    expect(others).toEqual([]);
  });

  it.each([
    ['an end at a component that is not there', ['R9.a'], 'unknown-component', /no component “R9”/],
    ['an end at a pin that is not there', ['R1.c'], 'unknown-pin', /no pin “c”/],
    ['a pin that another wire has', ['R1.a'], 'pin-twice', /is at two wires/],
  ])('%s', (_, ends, code, message) => {
    const document = drawn([SUPPLY, LOAD]);
    document.wires.push({ id: 'more', ends });
    const { issues } = reportDocument(document);
    expect(issues.map((issue) => issue.code)).toContain(code);
    const issue = issues.find((one) => one.code === code);
    expect(issue?.pointer).toBe('/wires/2/ends/0');
    expect(issue?.message).toMatch(message);
  });

  const misspelt = (component: Record<string, unknown>): ReturnType<typeof drawn> => {
    const document = drawn([SUPPLY, LOAD]);
    document.components?.push({ id: 'X1', ...component } as never);
    document.wires?.push({ id: 'more', ends: ['R1.c', 'X1.a'] });
    return document;
  };

  it.each([
    [{ type: 'Resitor', resistance: 1 }, '/components/3/type', /^Did you mean Resistor\?/],
    [{ type: 'SinVoltage', amplitude: 1, frequency: 5 }, '/components/3/type', /^Did you mean SineVoltage\?/],
    [{ type: 'Xyzzyqux' }, '/components/3/type', /^Known types here: (\w+, ){3}… \(\d+\); the reference/],
    [{ type: 'Resistor', resitance: 1 }, '/components/3/resitance', /^Did you mean resistance\?/],
    [{ type: 'Resistor', resistance: 1, resitance: 1 }, '/components/3/resitance', /spelling\.$/],
  ])('a misspelt name in %j is said beside what is wrong with the wires', (component, pointer, remedy) => {
    const { issues } = reportDocument(misspelt(component));
    const issue = issues.find((one) => one.pointer === pointer);
    expect(issue?.remedy).toMatch(remedy);
    expect(issues).toContainEqual(
      expect.objectContaining({ code: 'unknown-pin', pointer: '/wires/2/ends/0' }),
    );
    // Its own pins are those of a type that is not known, or right.
    expect(issues.some((one) => one.pointer === '/wires/2/ends/1')).toBe(false);
  });

  it('a component of which nothing is said, alone', () => {
    const document = drawn([SUPPLY, LOAD]);
    (document.components as unknown[])[0] = {};
    const { issues } = reportDocument(document);
    expect(issues.map(({ pointer }) => pointer)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\/components\/0/)]),
    );
    expect(issues.every(({ pointer }) => pointer.startsWith('/components/0'))).toBe(true);
  });

  it('two elements of one id', () => {
    const document = drawn([SUPPLY, LOAD]);
    document.wires[0].id = 'R1';
    const { issues } = reportDocument(document);
    expect(issues).toContainEqual(expect.objectContaining({ code: 'duplicate-id', pointer: '/wires/0/id' }));
  });

  // A current source in series with an ideal switch that opens, or is open, has no way.
  const OPENED = (gate: string): Part[] => [
    ['I1', 'CurrentSource', ['0', 'a'], { current: 1 }],
    ['S1', 'Switch', ['a', 'b'], { gate }],
    ['R1', 'Resistor', ['b', '0'], { resistance: 10 }],
  ];

  it.each(
    (['event-driven', 'time-stepping'] as const).flatMap((scheme) =>
      ['0.0005 - t', '-1'].map((gate) => [scheme, gate] as const),
    ),
  )('%s of a circuit without a solution names its components, gate %s', (scheme, gate) => {
    const document = drawn(OPENED(gate), { h: 1e-5 });
    const isAtStart = scheme === 'event-driven' && gate === '-1';
    const error = isAtStart ? refusal(document, { scheme }) : runFailure(document, { scheme }).error;
    expect(error.where).toBe('S1');
    expect(error.message).toContain('“S1” is joined to “I1”, “R1”.');
    expect(error.remedy).toMatch(/currents in series, and for currents that a switch leaves without a way/);
    expect(`${error.message} ${error.remedy}`).not.toMatch(/junctions|masses|joints|time-stepping/);
  });
});
