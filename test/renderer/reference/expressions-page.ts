/** The page of the reference about expressions: what the language has, and what its refusals say. */
import {
  EXPRESSION_CONSTANTS,
  EXPRESSION_FUNCTIONS,
  EXPRESSION_OPERATORS,
} from '@engine/document/expression-language';
import { ExpressionError } from '@engine/document/expressions';
import { resolveSignal } from '@engine/document/observables';
import { NUMBER_SUFFIXES, UNIT_NAMES } from '@engine/document/quantities';
import { evaluateParameters, evaluateWith } from '@engine/document/parameters';
import { expressionPlaces } from './document-page';

const cell = (words: string): string => words.replaceAll('|', '\\|');

/** What an attempt is refused with. @throws where it is not */
function refusalOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
  throw new Error('an expression was to be refused');
}

/** Parameters of the attempts. */
const KNOWN = { m: 2, k: 50 };

/** Expressions of a parameter that the language refuses. */
const REFUSED = [
  '5m',
  '10 mm + 3',
  '2*c',
  '2*ball.q',
  'sine(m)',
  'atan2(m)',
  'm == k',
  'm > 1 and k > 1',
  '1 < m < 3',
  '2**3',
  '1,5',
  '[m, k]',
  '',
];

/** What the first defect of some parameters says. */
function parameterRefusal(values: Readonly<Record<string, string>>): string {
  const parameters = Object.entries(values).map(([name, value]) => ({ name, value }));
  const [first] = evaluateParameters(parameters).issues;
  return `${first.message} ${first.remedy}`;
}

const raised = (tens: number): string =>
  Array.from(String(tens), (sign) => (sign === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(sign)])).join('');

/** How many arguments a function takes. */
const counted = (most: number, least = most): string => (least === most ? `${most}` : `${least} to ${most}`);

const SIGNALS = new Map(['t', 'ball.q', 'ball.v', 'm'].map((name, k) => [name, k]));

export const expressionsPage = (): string =>
  [
    '# Expressions',
    '',
    'Where a number may be an expression it is a text such as `"2*pi*rpm/60"`. Expressions compute with numbers of double precision; angles are in rad. What needs loops is a [script function](functions.md).',
    '',
    '## Where they stand, and which names they know',
    '',
    '- Numbers of the model, among them the entries of vectors and matrices of its elements, know the **parameters** of the document, in whatever order they stand. They are evaluated once, before the run. In [the document](document.md) these are, beside the fields of elements that are numbers, vectors or matrices:',
    ...expressionPlaces().map((place) => `  - \`${place}\``),
    '- **Forces, sources, offsets and prescribed motions**, whose fields take a function of the time, know the time `t`, s, beside the parameters: `["A*sin(omega*t)", 0]`. They are evaluated throughout the run; their derivatives, exact forms, kinks and jumps are found in the expressions themselves. How: [Forces and sources of time](../how-to/expressions-of-time.md).',
    '- The `expression` of an **observable** knows the [signals](signals.md) of the model, the other observables, the parameters, and the time `t`, s. It is evaluated at each row.',
    '- The `g` of a [section on a surface](sections.md#surface) knows the same.',
    '- Inputs of [control blocks](../how-to/control.md), such as `measured` of a PID, know signals, the parameters and `t`, at their samples; observables are no signals there. A field that follows outputs, `{"signals": ["pid.u"]}`, knows outputs of blocks and the parameters.',
    '- `--set NAME=VALUE` of the [command line](command-line.md) and `--period` of `moreau sweep` know the parameters; `--period` of `moreau measure` is a number of seconds.',
    '',
    'A signal is named as it is recorded: `ball.q` where it has one component, `beam.q[3]` where it has several, counted from 0. Views name signals and take no expressions: what is to be seen of one is an observable. Whole numbers, such as numbers of points, the ends of sliders, and all that says how a model is shown are plain numbers.',
    '',
    '## Numbers and constants',
    '',
    'Decimals are written with a point: `0.5`, `.5`, `1.5e-3`.',
    '',
    '### Suffixes',
    '',
    `A suffix stands directly behind a number: ${NUMBER_SUFFIXES.map(([text, tens]) => `\`${text}\` (10${raised(tens)})`).join(', ')}. So \`47u\` is ${evaluateWith('47u', {})} and \`4.7k\` is ${evaluateWith('4.7k', {})}. Their case counts: \`m\` is milli and \`M\` is mega, as \`meg\` is; in netlists \`M\` is milli.`,
    '',
    '### Units',
    '',
    `A unit stands behind a number too, or behind its suffix: \`10 mm\`, \`9.81 m/s^2\`, \`5 N s/m\`, \`4.7k Ω\`. It belongs to that number and binds more tightly than any operator: \`1/2 in\` is 1/(2 in). The value is taken in the unit of the field, of the parameter or of the observable. Known are ${UNIT_NAMES.map((name) => `\`${name}\``).join(', ')}, those of SI with prefixes such as \`k\` and \`µ\`; powers are written \`mm^2\` or \`mm²\`.`,
    '',
    'A unit of another quantity is an error that names both; so is a unit where a number without one stands, as a coefficient of restitution or a parameter without a unit, and a sum of what has a unit and what has none. Parameters count in their own units there.',
    '',
    'Nothing has two meanings. Where the word behind a number is a parameter as well, `5 m` is refused: write `5*m` for the product. Where a length is wanted, `5m` is refused: write `5 m` or `5 mm`.',
    '',
    '### Constants',
    '',
    '| Name | Value | Meaning |',
    '| --- | --- | --- |',
    ...EXPRESSION_CONSTANTS.map(
      ({ name, value, meaning }) => `| \`${name}\` | ${value} | ${cell(meaning)} |`,
    ),
    '',
    'No parameter or observable can be called `t` or like a constant. `e` is none, so that a coefficient of restitution can be called so; Euler’s number is `exp(1)`.',
    '',
    '## Operators',
    '',
    'Those that bind most tightly come first; products, quotients and remainders bind alike, and so do sums and differences. Parentheses group.',
    '',
    '| Operator | Meaning | Example | Value |',
    '| --- | --- | --- | --- |',
    ...EXPRESSION_OPERATORS.map(
      ({ written, meaning, example }) =>
        `| \`${written}\` | ${cell(meaning)} | \`${example}\` | ${evaluateWith(example, {})} |`,
    ),
    '',
    `A product without its sign binds more tightly than a quotient where a name stands in front: with k = 50, \`k/2 pi\` is ${evaluateWith('k/2 pi', KNOWN).toPrecision(6)}, which is k/(2π), and \`k/2*pi\` is ${evaluateWith('k/2*pi', KNOWN).toPrecision(6)}. Write the sign.`,
    '',
    '## Functions',
    '',
    '| Function | Arguments | Gives |',
    '| --- | --- | --- |',
    ...EXPRESSION_FUNCTIONS.map(
      ({ name, arguments: given, least, meaning }) =>
        `| \`${name}(${given})\` | ${counted(given.split(',').length, least)} | ${cell(meaning)} |`,
    ),
    '',
    'There are no others: of three numbers the largest is `max(a, max(b, c))`. The last six are courses of time; their arguments are as any others, and what is left out at the end is as the table says. A phase is a part of the period by which the course is ahead: 1/3 for a third.',
    '',
    '## What is refused',
    '',
    'An expression that cannot be read, or uses a name that is not known, is an error of the document, told at its place. Where the parameters are m and k:',
    '',
    '| Expression | What is said |',
    '| --- | --- |',
    ...REFUSED.map((text) => {
      const said = refusalOf(() => evaluateWith(text, KNOWN));
      return `| ${text === '' ? '(empty)' : `\`${text}\``} | ${cell(said)} |`;
    }),
    `| \`ball.x\` in an observable | ${cell(refusalOf(() => resolveSignal('ball.x', SIGNALS)))} |`,
    '',
    'So is one without a finite value, and parameters that depend on each other in a circle:',
    '',
    `- \`{"name": "k", "value": "1/0"}\`: ${parameterRefusal({ k: '1/0' })}`,
    `- \`{"name": "a", "value": "2*b"}\` and \`{"name": "b", "value": "a + 1"}\`: ${parameterRefusal({ a: '2*b', b: 'a + 1' })}`,
    '',
    'A sweep names the values of the point where they are what leaves an expression without a value.',
    '',
  ].join('\n');
