import type { ModelDocument } from '@engine/document/types';
import { describe, expect, it } from 'vitest';
import { modelDifferences } from '@renderer/comparison/model-differences';
import { camFollower } from './fake/cam-follower';

const changed = (change: (model: ModelDocument) => void): ModelDocument => {
  const model = structuredClone(camFollower());
  change(model);
  return model;
};

describe('two models', () => {
  it('that differ in nothing a motion depends on have no differences', () => {
    const other = changed((model) => {
      model.title = 'Another';
      model.views = [];
      model.parameters[0].description = 'words';
    });
    expect(modelDifferences(camFollower(), other)).toEqual([]);
  });

  it('are distinguished by parameter, field, setting, and line of a script, with both values', () => {
    const model = camFollower();
    const [system] = model.systems;
    const [script] = model.scripts;
    const other = changed(({ parameters, systems, interactions, simulation, scripts }) => {
      parameters[0].value = 77;
      parameters.push({ name: 'extra', value: 1 });
      systems[0]['q0'] = [0.125];
      interactions.pop();
      simulation.h = 1;
      scripts[0].source[1] = 'other';
    });
    const found = modelDifferences(model, other).map(({ group, element, field, a, b }) =>
      [group, element, field, a ?? '–', b ?? '–'].join(' | '),
    );
    expect(found).toEqual([
      `parameters | ${model.parameters[0].name} |  | ${String(model.parameters[0].value)} | 77`,
      'parameters | extra |  | – | 1',
      `systems | ${system.id} | q0[0] | ${String((system['q0'] as number[])[0])} | 0.125`,
      expect.stringMatching(/^interactions \| cam \| {2}\| .+ \| –$/),
      `simulation |  | h | ${String(model.simulation.h)} | 1`,
      `scripts | ${script.name} | 2 | ${script.source[1]} | other`,
    ]);
  });
});
