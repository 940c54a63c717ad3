import { describe, expect, it } from 'vitest';
import { renameElement, renameObservable, renameParameter } from '@renderer/document/rename';
import { catalogue } from '@engine/model/registry';
import { camFollower } from './fake/cam-follower';

describe('renaming', () => {
  it('carries the name of a system to everything that refers to it', () => {
    const document = camFollower();
    document.layout.nodes['follower'] = { x: 10, y: 20 };
    document.views = [
      { type: 'time-series', id: 'a', signals: ['follower.q', 'lift'] },
      { type: 'phase-portrait', id: 'b', x: 'follower.q', y: 'follower.v' },
    ];
    document.simulation.recording = { signals: ['follower.q'] };
    renameElement(document, 'follower', 'rocker');
    expect(document.systems[0]?.id).toBe('rocker');
    expect(document.interactions[0]?.systems).toEqual(['rocker']);
    expect(document.layout.nodes).toEqual({ rocker: { x: 10, y: 20 } });
    expect(document.observables[0]?.expression).toBe('rocker.q - cam.gap');
    expect(document.views).toEqual([
      { type: 'time-series', id: 'a', signals: ['rocker.q', 'lift'] },
      { type: 'phase-portrait', id: 'b', x: 'rocker.q', y: 'rocker.v' },
    ]);
    expect(document.simulation.recording.signals).toEqual(['rocker.q']);
  });

  it('reaches conditions of interactions, and parameters in them', () => {
    const document = camFollower();
    const name = document.parameters[0]?.name ?? '';
    const [interaction] = document.interactions;
    interaction.while = { type: 'Condition', condition: [`min(follower.q, ${name} - t)`] };
    renameElement(document, 'follower', 'rocker');
    renameParameter(document, name, 'speed', catalogue());
    expect(interaction.while['condition']).toEqual(['min(rocker.q, speed - t)']);
  });

  it('reaches what analyses ask, what diagrams show, and the parameters that are varied', () => {
    const document = camFollower();
    const name = document.parameters[0]?.name ?? '';
    document.analyses = [
      {
        id: 'sweep',
        type: 'sweep',
        axes: [
          { type: 'range', parameter: name, from: 1, to: `2*${name}` },
          { type: 'initialValues', state: 'follower.v', values: [`-${name}`, 1] },
        ],
        measures: 'max follower.q, events',
      },
      { id: 'branch', type: 'branch', parameter: name, from: 1, to: 2, period: `60/${name}` },
      { id: 'basins', type: 'basins', xState: 'follower.q', yState: 'follower.v', period: 1 },
    ];
    document.views = [{ type: 'bifurcation', id: 'd', analyses: ['sweep'], y: 'max follower.q' }];
    renameElement(document, 'follower', 'rocker');
    renameParameter(document, name, 'speed', catalogue());
    expect(document.analyses).toEqual([
      {
        id: 'sweep',
        type: 'sweep',
        axes: [
          { type: 'range', parameter: 'speed', from: 1, to: '2*speed' },
          { type: 'initialValues', state: 'rocker.v', values: ['-speed', 1] },
        ],
        measures: 'max rocker.q, events',
      },
      { id: 'branch', type: 'branch', parameter: 'speed', from: 1, to: 2, period: '60/speed' },
      { id: 'basins', type: 'basins', xState: 'rocker.q', yState: 'rocker.v', period: 1 },
    ]);
    expect(document.views[0]).toMatchObject({ y: 'max rocker.q' });
  });

  it('reaches guards of components, which are lists of expressions', () => {
    const document = camFollower();
    document.components = [
      { id: 'C1', type: 'Capacitor', capacitance: 1e-6 },
      { id: 'M1', type: 'StateMachine', guards: ['C1.v > 4', 'since > 1 and C1.v < 3'] },
    ];
    renameElement(document, 'C1', 'C2');
    expect(document.components[1]['guards']).toEqual(['C2.v > 4', 'since > 1 and C2.v < 3']);
  });

  it('does not touch elements whose names begin alike', () => {
    const document = camFollower();
    document.views = [
      {
        type: 'time-series',
        id: 'a',
        signals: ['cam2.gap', 'cam.gap'],
        axes: [{ signals: ['cam.gap'] }, { isLog: true }],
        styles: [{ signals: ['cam.gap', 'cam2.gap'], width: 2 }],
      },
    ];
    renameElement(document, 'cam', 'plate');
    expect(document.views[0]).toMatchObject({
      signals: ['cam2.gap', 'plate.gap'],
      axes: [{ signals: ['plate.gap'] }, { isLog: true }],
      styles: [{ signals: ['plate.gap', 'cam2.gap'] }],
    });
  });

  it('renames a parameter that a plane of basins varies', () => {
    const document = camFollower();
    document.analyses = [
      { id: 'kinds', type: 'basins', xParameter: 'rpm', yParameter: 'e', period: '60/rpm' },
    ];
    renameParameter(document, 'rpm', 'speed');
    expect(document.analyses[0]).toMatchObject({ xParameter: 'speed', yParameter: 'e' });
  });

  it('renames a parameter in every expression, and nothing that is not one', () => {
    const document = camFollower();
    document.parameters.push({ name: 'omega', value: '2*pi*rpm/60' });
    document.simulation.h = 'm/1e4';
    renameParameter(document, 'm', 'mass');
    renameParameter(document, 'rpm', 'speed');
    expect(document.parameters.map((parameter) => parameter.name)).toEqual([
      'speed',
      'e',
      'mass',
      'k',
      'omega',
    ]);
    expect(document.systems[0]?.['mass']).toEqual([['mass']]);
    expect(document.parameters[4]?.value).toBe('2*pi*speed/60');
    expect(document.simulation.h).toBe('mass/1e4');
    expect(document.interactions[0]?.relation.type).toBe('LagrangianRheonomous');
  });

  it('renames an observable in the views', () => {
    const document = camFollower();
    document.views = [{ type: 'time-series', id: 'a', signals: ['lift'] }];
    renameObservable(document, 'lift', 'stroke');
    expect(document.observables[0]?.name).toBe('stroke');
    expect(document.views[0]).toMatchObject({ signals: ['stroke'] });
  });

  it('reaches instances and arrays, what they are given, and what is inside of them', () => {
    const document = camFollower();
    document.parameters.push({ name: 'Ron', value: 1 });
    document.components = [{ id: 'S1', type: 'Switch', gate: 'cells[2].R1.i > Ron' }];
    document.instances = [
      { id: 'cells', of: 'Cell', count: 3, values: { R: 'Ron*S1.v', x: '2*cells[0].R1.v' } },
      { id: 'one', of: 'Cell' },
    ];
    document.wires = [{ id: 'n1', ends: ['S1.a', 'cells[2].a', 'one.a'] }];
    document.submodels = [
      {
        id: 'Cell',
        ports: [{ name: 'a', wire: 'w' }],
        parameters: [
          { name: 'R', value: '3*Ron' },
          { name: 'x', value: 1 },
        ],
        components: [{ id: 'R1', type: 'Resistor', resistance: 'R + Ron' }],
        wires: [{ id: 'w', ends: ['R1.a'] }],
      },
      {
        id: 'Own',
        ports: [],
        parameters: [{ name: 'Ron', value: 5 }],
        components: [{ id: 'R1', type: 'Resistor', resistance: 'Ron' }],
        wires: [],
      },
    ];
    renameElement(document, 'cells', 'beads');
    renameElement(document, 'S1', 'gate');
    renameParameter(document, 'Ron', 'on', catalogue());
    expect(document.components[0]).toMatchObject({ id: 'gate', gate: 'beads[2].R1.i > on' });
    expect(document.instances[0]).toMatchObject({
      id: 'beads',
      values: { R: 'on*gate.v', x: '2*beads[0].R1.v' },
    });
    expect(document.wires[0]?.ends).toEqual(['gate.a', 'beads[2].a', 'one.a']);
    const [cell, own] = document.submodels;
    expect(cell?.parameters[0]?.value).toBe('3*on');
    expect(cell?.components[0]?.['resistance']).toBe('R + on');
    // A parameter of its own is another one.
    expect(own?.parameters[0]?.name).toBe('Ron');
    expect(own?.components[0]?.['resistance']).toBe('Ron');
  });
});
