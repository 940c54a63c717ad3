import type { BenchmarkResult } from '../bench/growth';
import { closest } from '../closest';
import { type Command, EXIT, UsageError } from '../command';

/** Loaded when it is asked for: other commands leave the engine to their workers, and begin sooner without it. */
const loadBenchmarks = () => Promise.all([import('../bench/registry'), import('../bench/growth')]);

/** `moreau bench`: measures the engine on this machine. */
export const benchCommand: Command = {
  name: 'bench',
  summary: 'measure the speed of the engine on this machine',
  positionals: [
    { name: 'NAME', help: 'benchmarks to run; all when left out', required: false, repeated: true },
  ],
  flags: {
    json: { type: 'boolean', help: 'print the measurements as one JSON object' },
    problems: {
      type: 'string',
      value: 'DIR',
      help: 'folder of problems (.json, .json.gz) for the benchmarks lcp and friction, in place of their own',
    },
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
    const chosen = args.positionals.length === 0 ? names : args.positionals;
    const problems = args.text('problems');
    const results: BenchmarkResult[] = [];
    const tell = (result: BenchmarkResult): void => {
      results.push(result);
      if (args.has('json')) return;
      context.out(`${result.name}\n`);
      for (const { quantity, value, unit, note } of result.measurements) {
        const shown = value === null ? (note ?? '') : value.toPrecision(4);
        context.out(`  ${quantity.padEnd(36)} ${shown.padStart(12)} ${unit}\n`);
      }
    };
    for (const benchmark of benchmarks.filter(({ name }) => chosen.includes(name))) {
      context.note(`${benchmark.name}: ${benchmark.summary} …\n`);
      const options = problems === undefined ? {} : { problems };
      const measurements = await benchmark.measure(context.place, options);
      tell({ name: benchmark.name, measurements });
    }
    growthResults(results).forEach(tell);
    if (args.has('json')) {
      const machine = {
        node: process.version,
        v8: process.versions.v8,
        platform: `${process.platform}-${process.arch}`,
      };
      context.out(`${JSON.stringify({ machine, benchmarks: results }, null, 2)}\n`);
    }
    return EXIT.done;
  },
};
