/** What a document asks of sections, checked. */
import type { ElementSettings } from '../../document/element-settings';
import type { SectionSettings, SimulationSettings } from '../../document/settings';
import type { DocumentIssue } from '../../document/types';
import { EngineError } from '../../errors';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { StateLayout } from '../layout';
import { compileSection, type SectionChoice } from './section';

/** A section of a run, as readers know it. */
export interface SectionInfo {
  readonly id: string;
  readonly title: string;
  readonly kind: SectionChoice['kind'];
  /** s; of a stroboscopic section */
  readonly period?: number;
}

export function sectionChoice({ type, numbers, choices, texts }: ElementSettings): SectionChoice {
  switch (type) {
    case 'stroboscopic':
      return { kind: 'stroboscopic', period: numbers.period, phase: numbers.phase };
    case 'impact':
      return {
        kind: 'impact',
        contact: texts.contact,
        state: choices.state === 'before' ? 'before' : 'after',
      };
    case 'surface': {
      const { direction } = choices;
      const known = direction === 'falling' || direction === 'both' ? direction : 'rising';
      return { kind: 'surface', g: texts.g, direction: known };
    }
    default:
      throw new Error(`a section of type ${type} passed the schema without a definition`);
  }
}

export function sectionInfo({ id, title, settings }: SectionSettings): SectionInfo {
  const choice = sectionChoice(settings);
  return {
    id,
    title,
    kind: choice.kind,
    ...(choice.kind === 'stroboscopic' && { period: choice.period }),
  };
}

/** Field of the document that a defect belongs to. */
const FIELD = { stroboscopic: 'period', impact: 'contact', surface: 'g' } as const;

/** Reports sections that cannot be taken: an unknown contact, an expression that is none. */
export function checkSections(
  {
    model,
    isSpatial,
    settings,
    layout,
  }: {
    readonly model: NonSmoothDynamicalSystem;
    readonly isSpatial: boolean;
    readonly settings: Pick<SimulationSettings, 'sections'>;
    readonly layout: StateLayout;
  },
  issues: DocumentIssue[],
): void {
  settings.sections.forEach(({ id, settings: given }, i) => {
    const choice = sectionChoice(given);
    // A period that could not be evaluated, or is out of range, has been reported there.
    if (choice.kind === 'stroboscopic') return;
    const report = (message: string, remedy: string): void => {
      const pointer = `/simulation/sections/${i}/${FIELD[choice.kind]}`;
      issues.push({ severity: 'error', code: 'invalid-section', pointer, element: id, message, remedy });
    };
    if (isSpatial && choice.kind === 'impact') {
      report(
        'Impacts of bodies in space are not separate events: several may fall into one step.',
        'Take a section on a surface, such as the height of a body.',
      );
      return;
    }
    try {
      compileSection(choice, model, layout);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      report(error.details.message, error.details.remedy ?? 'Correct the section.');
    }
  });
}
