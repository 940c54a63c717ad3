import type { DocumentIssue, DocumentReport, ModelDocument } from '@engine/document/types';
import { SIGNALS } from './recording';

/** What the fake says of a document: scripts with `throw` in them and negative masses are wrong. */
export function fakeReport(document: ModelDocument): DocumentReport {
  const issues: DocumentIssue[] = [];
  for (const [s, script] of document.scripts.entries()) {
    const line = script.source.findIndex((text) => text.includes('syntax error'));
    if (line < 0) continue;
    issues.push({
      severity: 'error',
      code: 'script-syntax',
      pointer: `/scripts/${s}/source`,
      element: script.name,
      message: `The script ${script.name} does not compile.`,
      remedy: 'Mend the line that is marked.',
      script: { name: script.name, line: line + 1, column: 1 },
    });
  }
  const parameters: Record<string, number> = {};
  const values: Record<string, number> = {};
  document.parameters.forEach((parameter) => {
    if (typeof parameter.value === 'number') parameters[parameter.name] = parameter.value;
  });
  const evaluate = (value: unknown, pointer: string, element: string): void => {
    if (typeof value === 'string') {
      const known = parameters[value];
      if (known !== undefined) values[pointer] = known;
      else {
        issues.push({
          severity: 'error',
          code: 'expression-unknown-name',
          pointer,
          element,
          message: `“${value}” names no parameter.`,
          remedy: 'Add a parameter of that name, or write a number.',
        });
      }
    } else if (Array.isArray(value)) value.forEach((entry, i) => evaluate(entry, `${pointer}/${i}`, element));
  };
  document.systems.forEach((system, i) => {
    for (const key of ['mass', 'stiffness', 'q0', 'v0'])
      evaluate(system[key], `/systems/${i}/${key}`, system.id);
  });
  document.interactions.forEach((interaction, i) => {
    evaluate(interaction.law['e'], `/interactions/${i}/law/e`, interaction.id);
    if (interaction.systems.length === 0) {
      issues.push({
        severity: 'error',
        code: 'interaction-unlinked',
        pointer: `/interactions/${i}/systems`,
        element: interaction.id,
        message: `The interaction ${interaction.id} links no system.`,
        remedy: 'Drag from a system to it.',
      });
    }
  });
  return {
    issues,
    parameters,
    values,
    signals: issues.some((issue) => issue.severity === 'error') ? [] : SIGNALS,
    exports: Object.fromEntries(
      document.scripts.map((script) => [
        script.name,
        script.source.flatMap((text) => /export const (\w+)/.exec(text)?.[1] ?? []),
      ]),
    ),
    typings: [
      `interface Parameters { ${document.parameters.map((p) => `readonly ${p.name}: number;`).join(' ')} }`,
      'type Constraint = (t: number, q: Float64Array, out: Float64Array, p: Parameters) => void;',
      'type ConstraintTimeDerivative = (t: number, q: Float64Array, out: Float64Array, p: Parameters) => void;',
      'type ExternalForce = (t: number, out: Float64Array, p: Parameters) => void;',
    ].join('\n'),
  };
}
