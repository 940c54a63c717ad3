/** A drawn circuit as a picture. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { circuitPicture } from '../../src/main/export/model/svg-circuit';

const circuit = {
  components: [
    { id: 'V1', type: 'SineVoltage', amplitude: 10, frequency: 50 },
    { id: 'D1', type: 'Diode' },
    { id: 'R1', type: 'Resistor', resistance: 4700 },
    { id: 'GND1', type: 'Ground' },
  ],
  wires: [
    { id: 'n1', ends: ['V1.p', 'D1.a'] },
    { id: 'out', ends: ['D1.k', 'R1.a'] },
    { id: 'n2', ends: ['R1.b', 'V1.n', 'GND1.p'] },
  ],
  layout: {
    nodes: {
      V1: { x: 0, y: 100, turns: 1 },
      D1: { x: 100, y: 0 },
      R1: { x: 200, y: 100, turns: 1 },
      GND1: { x: 0, y: 200 },
    },
  },
} as unknown as ModelDocument;

describe('the picture of a circuit', () => {
  it('has symbols, values with prefixes, wires with right angles, a dot where three meet, given names', () => {
    const { body } = circuitPicture(circuit)!;
    expect(body).toContain('>4.7 kΩ<');
    expect(body).toContain('>10 V, 50 Hz<');
    expect(body).toContain('>out<');
    expect(body).not.toContain('>n1</text>');
    expect(body.match(/<circle/g)).toHaveLength(1);
    expect(body).toContain('rotate(90)');
  });

  it('is made of documents whose components have no places, too', () => {
    const { width, height } = circuitPicture({ ...circuit, layout: { nodes: {} } })!;
    expect(width).toBeGreaterThan(100);
    expect(height).toBeGreaterThan(100);
    expect(circuitPicture({ ...circuit, components: [] })).toBeNull();
  });
});
