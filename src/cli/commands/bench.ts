import { tableEndings, tableFormats } from '@main/export/registry';
import type { BenchmarkOptions, Measurement } from '../bench/benchmark';
import type { BenchmarkResult } from '../bench/growth';
import { closest } from '@engine/closest';
import { type CliCommand, type CommandArguments, EXIT, UsageError } from '../command';
import { Interruption } from '../interruption';
import { numberFlag } from '../run-options';

/**
 * Loaded when it is asked for: other commands leave the engine to their workers, and begin sooner without it.
 */
const loadBenchmarks = () => Promise.all([import('../bench/registry'), import('../bench/growth')]);

/** `moreau bench`: measures the engine on this machine. */
export const benchCommand: CliCommand = {
  name: 'bench',
  summary: 'measure the speed of the engine on this machine',
  positionals: [
    {
      name: 'NAME',
      help: 'benchmarks to run; default: all but export',
      required: false,
      repeated: true,
    },
  ],
  flags: {
    json: { type: 'boolean', help: 'print the measurements as one JSON object' },
    problems: {
      type: 'string',
      value: 'DIR',
      help: 'folder of problems (.json, .json.gz) for the benchmarks lcp and friction, instead of their own',
    },
    rows: { type: 'string', value: 'N', help: 'rows written by the benchmark export; default: 1e8' },
    columns: { type: 'string', value: 'N', help: 'columns written by it; default: 2' },
    memory: {
      type: 'string',
      value: 'MB',
      help: 'its memory limit, else exit code 3; default: 600',
    },
    format: { type: 'string', value: '.ENDING', help: `only this format of it: ${tableEndings}` },
  },
  notes: async () => {
    const [{ benchmarks }] = await loadBenchmarks();
    return [`Benchmarks: ${benchmarks.map(({ name, summary }) => `${name} (${summary})`).join(', ')}.`];
  },
  run: async (args, context) => {
    const [{ benchmarks }, { growthResults }] = await loadBenchmarks();
    const names = benchmarks.map((benchmark) => benchmark.name);
    for (const name of args.positionals) {
      if (names.includes(name)) continue;
      const meant = closest(name, names);
      throw new UsageError(
        `There is no benchmark “${name}”. ${meant === null ? `There are ${names.join(', ')}.` : `Did you mean ${meant}?`}`,
      );
    }
    const chosen = benchmarks.filter(({ name, onlyWhenNamed = false }) =>
      args.positionals.length === 0 ? !onlyWhenNamed : args.positionals.includes(name),
    );
    let isEnded = false;
    const options = { ...optionsOf(args), isEnded: () => isEnded };
    const results: BenchmarkResult[] = [];
    const begin = (name: string): ((measurement: Measurement) => void) => {
      const result: BenchmarkResult = { name, measurements: [] };
      results.push(result);
      if (!args.has('json')) context.out(`${name}\n`);
      return (measurement) => {
        result.measurements.push(measurement);
        if (!args.has('json')) context.out(lineOf(measurement));
      };
    };
    for (const benchmark of chosen) {
      context.note(`${benchmark.name}: ${benchmark.summary} …\n`);
      const measured = benchmark.measure(context.place, options);
      if (!(Symbol.asyncIterator in measured)) {
        (await measured).forEach(begin(benchmark.name));
        continue;
      }
      // The others never listen: with nothing to keep, an interrupt ends them at once.
      const interruption = new Interruption(context);
      interruption.react(() => (isEnded = true));
      const tell = begin(benchmark.name);
      try {
        for await (const measurement of measured) tell(measurement);
      } finally {
        interruption.end();
      }
      if (isEnded) break;
    }
    for (const { name, measurements } of growthResults(results)) measurements.forEach(begin(name));
    if (args.has('json')) {
      const machine = {
        node: process.version,
        v8: process.versions.v8,
        platform: `${process.platform}-${process.arch}`,
      };
      context.out(`${JSON.stringify({ machine, benchmarks: results }, null, 2)}\n`);
    }
    const exceeded = results.flatMap(({ measurements }) =>
      measurements.filter(({ value, most }) => value !== null && most !== undefined && value > most),
    );
    for (const { quantity, unit, most } of exceeded)
      context.note(`${quantity} is more than ${most} ${unit}\n`);
    if (isEnded) {
      context.note('Ended; what was measured until then is above.\n');
      return EXIT.cancelled;
    }
    return exceeded.length === 0 ? EXIT.done : EXIT.failed;
  },
};

function lineOf({ quantity, value, unit, note, most }: Measurement): string {
  const shown = value === null ? (note ?? '') : value.toPrecision(4);
  const bound = most === undefined ? '' : ` (at most ${most})`;
  return `  ${quantity.padEnd(36)} ${shown.padStart(12)} ${unit}${bound}\n`;
}

/** @throws {UsageError} */
function optionsOf(args: CommandArguments): BenchmarkOptions {
  const problems = args.text('problems');
  const count = (flag: string): number | undefined => {
    const value = numberFlag(args, flag);
    if (value === undefined || (Number.isSafeInteger(value) && value > 0)) return value;
    throw new UsageError(`--${flag} needs a whole number above 0.`);
  };
  const rows = count('rows');
  const columns = count('columns');
  const memory = count('memory');
  const ending = args.text('format');
  const format = tableFormats.find(({ extension }) => extension === ending)?.extension;
  if (ending !== undefined && format === undefined)
    throw new UsageError(`There is no format “${ending}”; there are ${tableEndings}.`);
  return {
    ...(problems === undefined ? {} : { problems }),
    ...(rows === undefined ? {} : { rows }),
    ...(columns === undefined ? {} : { columns }),
    ...(memory === undefined ? {} : { memory }),
    ...(format === undefined ? {} : { format }),
  };
}
