/** Faults of drawn mechanisms are located at their components and wires, with a remedy. */
import { describe, expect, it } from 'vitest';
import type { DocumentIssue, ModelDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { drawn, type Part } from './drawn';
import { MASS, MECHANISM_FAULTS, WALL } from './fault-cases';

const issuesOf = (document: ModelDocument): readonly DocumentIssue[] => reportDocument(document).issues;

describe('a fault of a mechanism', () => {
  it.each(MECHANISM_FAULTS.map((fault) => [fault.title, fault] as const))(
    '%s',
    (_, { parts, code, pointer }) => {
      const errors = issuesOf(drawn(parts)).filter(({ severity }) => severity === 'error');
      const own = errors.find((issue) => issue.code === code);
      expect(own?.pointer, JSON.stringify(errors)).toBe(pointer);
      expect(own?.remedy).toMatch(/\.$/);
    },
  );

  it('leaves a sound mechanism without errors', () => {
    const parts: Part[] = [
      MASS,
      WALL,
      ['k1', 'Spring', ['g', 'between'], { stiffness: 1 }],
      ['k2', 'Spring', ['between', 'n'], { stiffness: 1 }],
    ];
    const document = drawn(parts);
    document.simulation.integrators = [{ type: 'MoreauJean', theta: 0.5 }];
    expect(issuesOf(document).filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});
