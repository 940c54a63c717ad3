/** Whether the step is short enough for the vibrations of pseudo-rigid bodies, said before a run. */
import type { DocumentIssue } from '../../document/types';
import { EngineError } from '../../errors';
import { requireStableStep } from '../../spatial/critical-step';
import type { CompiledSpace } from './compile';

/** @param h s */
export function checkCriticalStep({ system }: CompiledSpace, h: number, issues: DocumentIssue[]): void {
  try {
    requireStableStep(system, h);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { where, code, message, remedy = '' } = error.details;
    issues.push({
      severity: 'error',
      code,
      pointer: '/simulation/h',
      message,
      remedy,
      ...(where === undefined ? {} : { element: where }),
    });
  }
}
