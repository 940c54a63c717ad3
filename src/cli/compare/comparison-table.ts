/** The outcome of `moreau compare` as tables for people. */
import type { ComparedRunSummary, ComparisonSummary, DifferencesSummary } from './comparison-summary';

/** Signals and contacts listed; a column of beads has thousands. */
const LISTED = 12;

const small = (value: number): string => (value === 0 ? '0' : value.toExponential(2));
const orNone = (value: number | null | undefined, text: (value: number) => string): string =>
  value === null || value === undefined ? '–' : text(value);
const order = (value: number | null | undefined): string => orNone(value, (p) => p.toFixed(2));
const seconds = (t: number): string => `${Number(t.toPrecision(6))} s`;

/** Columns as wide as their widest cell, numbers to the right. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((title, c) => Math.max(title.length, ...rows.map((row) => row[c].length)));
  return [header, ...rows].map((row) => `  ${row.map((cell, c) => cell.padStart(widths[c])).join('  ')}`);
}

/** Time-stepping looks for no events that it could miss. */
function completeCell({ complete, scheme }: ComparedRunSummary): string {
  if (complete === undefined || scheme !== 'event-driven') return '–';
  if (typeof complete === 'object') return `to ${small(complete.resolution)} s`;
  return complete ? 'yes' : 'NO';
}

export const isRunUncertified = ({ certified, complete }: ComparedRunSummary): boolean =>
  !certified || complete === false;

export function comparisonText({ title, runs, whole, together }: ComparisonSummary): string {
  const lines = [title, ''];
  const rows = runs.map((run) => [
    run.scheme,
    small(run.h),
    String(run.steps),
    String(run.events),
    seconds(Number(run.wallSeconds.toPrecision(3))),
    String(Math.round(run.stepsPerSecond)),
    small(run.worstResidual),
    run.certified ? 'yes' : 'NO',
    completeCell(run),
  ]);
  lines.push(
    ...textTable(
      ['scheme', 'h in s', 'steps', 'events', 'computed in', 'steps/s', 'residual', 'solved', 'complete'],
      rows,
    ),
  );
  if (runs.some(isRunUncertified))
    lines.push(
      '  NOT CERTIFIED: a run that is not solved or not complete is no measure of another (exit code 5)',
    );
  for (const warning of new Set(runs.flatMap(({ warnings }) => warnings)))
    lines.push(`  warning: ${warning}`);
  if (whole !== null && together !== null) {
    const { to } = together;
    lines.push(
      '',
      `From ${seconds(to)} on the runs have separated: they differ by more than 1 %, whatever the step. What follows is`,
      `for the time until then; --json has the whole time too, up to ${seconds(whole.to)}.`,
    );
  }
  const shown = together ?? whole;
  if (shown !== null) lines.push('', ...differenceLines(shown));
  return `${lines.join('\n')}\n`;
}

function differenceLines(summary: DifferencesSummary): string[] {
  const { from, to, signals, differences } = summary;
  const lines = [`Time-stepping less event-driven, ${seconds(from)} … ${seconds(to)}`];
  const places = signals.map((_, k) => k);
  const differing = places.filter((k) => differences.some((one) => one.signals[k].maximum !== 0));
  const equal = places.filter((k) => !differing.includes(k)).map((k) => signals[k].name);
  for (const k of differing.slice(0, LISTED)) lines.push(...signalLines(summary, signals[k], k));
  lines.push(...more(differing.length, 'signals'));
  if (equal.length > 0) lines.push('', `no difference: ${listed(equal)}`);
  const contacts = differences[0]?.contacts ?? [];
  for (const { signal } of contacts.slice(0, LISTED)) lines.push(...contactLines(summary, signal));
  lines.push(...more(contacts.length, 'contacts'));
  for (const { h, interpolated, rows } of differences) {
    if (interpolated > 0) lines.push(`h = ${small(h ?? 0)} s: ${interpolated} of ${rows} times interpolated`);
  }
  return lines;
}

const listed = (names: readonly string[]): string =>
  names.slice(0, LISTED).join(', ') + (names.length > LISTED ? ', …' : '');

const more = (count: number, what: string): string[] =>
  count > LISTED ? [`… and ${count - LISTED} more ${what} (--json has all)`] : [];

function signalLines(
  { differences, orders }: DifferencesSummary,
  { name, unit, scale }: DifferencesSummary['signals'][number],
  k: number,
): string[] {
  const rows = differences.map(({ h, signals }, i) => {
    // The first run has no coarser one.
    const orderHere = orders.find(({ hFine }) => i > 0 && hFine === h)?.signals[k];
    const { mean, awayMaximum, maximum, agreesUntil } = signals[k];
    return [
      small(h ?? 0),
      small(mean),
      order(orderHere?.mean),
      small(awayMaximum),
      order(orderHere?.maximum),
      small(maximum),
      seconds(agreesUntil),
    ];
  });
  const header = ['h in s', 'L1', 'order', 'max away from impacts', 'order', 'max', '1 % until'];
  const size = `${Number(scale.toPrecision(4))}${unit === '' ? '' : ` ${unit}`}`;
  return ['', `${name}, up to ${size}`, ...textTable(header, rows)];
}

function contactLines({ to, differences, orders }: DifferencesSummary, signal: string): string[] {
  const rows = differences.flatMap(({ h, contacts }, i) => {
    const contact = contacts.find((one) => one.signal === signal);
    if (contact === undefined) return [];
    const orderHere = orders
      .find(({ hFine }) => i > 0 && hFine === h)
      ?.contacts.find((one) => one.signal === signal);
    return [
      [
        small(h ?? 0),
        `${contact.matched} of ${contact.isolated}`,
        String(contact.extra),
        orNone(contact.mean, small),
        order(orderHere?.mean),
        orNone(contact.largest, small),
        order(orderHere?.maximum),
      ],
    ];
  });
  const looked = Math.min(
    to,
    ...differences.flatMap(({ contacts }) =>
      contacts.flatMap((one) => (one.signal === signal ? [one.lookedUntil] : [])),
    ),
  );
  const header = ['h in s', 'matched', 'extra', 'mean |Δt| in s', 'order', 'max |Δt| in s', 'order'];
  return [
    '',
    `times of impact of ${signal.replace(/\.(?:impulse|normalImpulse)/, '')}${
      looked < to ? `, up to ${seconds(looked)}: no more impacts of a run are looked at` : ''
    }`,
    ...textTable(header, rows),
  ];
}
