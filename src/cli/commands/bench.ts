import { benchmarks } from '../bench/registry';
import { closest } from '../closest';
import { type Command, EXIT, UsageError } from '../command';

/** `moreau bench`: measures the engine on this machine. */
export const benchCommand: Command = {
  name: 'bench',
  summary: 'measure the speed of the engine on this machine',
  positionals: [
    { name: 'NAME', help: 'benchmarks to run; all when left out', required: false, repeated: true },
  ],
  flags: { json: { type: 'boolean', help: 'print the measurements as one JSON object' } },
  notes: [`Benchmarks: ${benchmarks.map(({ name, summary }) => `${name} (${summary})`).join(', ')}.`],
  run: (args, context) => {
    const names = benchmarks.map((benchmark) => benchmark.name);
    for (const name of args.positionals) {
      if (names.includes(name)) continue;
      const meant = closest(name, names);
      throw new UsageError(
        `There is no benchmark “${name}”. ${meant === null ? `There are ${names.join(', ')}.` : `Did you mean ${meant}?`}`,
      );
    }
    const chosen = args.positionals.length === 0 ? names : args.positionals;
    const results = [];
    for (const benchmark of benchmarks.filter(({ name }) => chosen.includes(name))) {
      context.note(`${benchmark.name}: ${benchmark.summary} …\n`);
      const measurements = benchmark.measure(context.place);
      results.push({ name: benchmark.name, measurements });
      if (args.has('json')) continue;
      context.out(`${benchmark.name}\n`);
      for (const { quantity, value, unit } of measurements) {
        context.out(`  ${quantity.padEnd(32)} ${value.toPrecision(4).padStart(12)} ${unit}\n`);
      }
    }
    if (args.has('json')) {
      const machine = {
        node: process.version,
        v8: process.versions.v8,
        platform: `${process.platform}-${process.arch}`,
      };
      context.out(`${JSON.stringify({ machine, benchmarks: results }, null, 2)}\n`);
    }
    return Promise.resolve(EXIT.done);
  },
};
