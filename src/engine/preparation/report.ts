/**
 * What is known of a document without running it: the live feedback of every view. The report itself executes
 * no script.
 */
import type { DocumentReport, ModelDocument } from '../document/types';
import type { BuiltElements } from '../script/builder';
import { generateTypings } from '../script/typings';
import { Examination } from './examination';
import { selectSignals } from './prepare';
import { sceneOf } from './spatial/scene-of';

/**
 * Validates a document and says what a run of it would record.
 * @param built elements its builder script produced, when that has been run
 */
export const reportDocument = (document: ModelDocument, built?: BuiltElements): DocumentReport =>
  reportOf(new Examination(document, built));

/** What an examination has found before anything is executed. */
export function reportOf({ document, built, scripts, preparation }: Examination): DocumentReport {
  const issues = [...scripts.issues, ...preparation.issues];
  const { prepared, drawn } = preparation;
  const broken = scripts.issues.length > 0;
  const signals =
    prepared === null || broken
      ? []
      : selectSignals(prepared.layout, document.simulation.recording?.signals).selected.map(
          (i) => prepared.layout.signals[i],
        );
  const scene = prepared === null || broken ? null : sceneOf(prepared);
  return {
    issues,
    parameters: preparation.parameters,
    values: preparation.values,
    signals,
    exports: scripts.exports,
    typings: generateTypings(document, {
      parameters: preparation.parameters,
      functions: scripts.functionNames,
      ...(prepared === null ? {} : { sizes: prepared.layout.systemPlaces }),
    }),
    ...(scene === null ? {} : { scene }),
    ...(drawn === undefined || drawn.systems.length === 0
      ? {}
      : {
          drawn: {
            systems: [...drawn.systems],
            interactions: [...drawn.interactions],
            labels: { ...drawn.labels },
          },
        }),
    ...(built === undefined ? {} : { built }),
  };
}
