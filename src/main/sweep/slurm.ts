/** A sweep as an array of jobs for Slurm: each computes a share, and one more makes the table. */
import type { Share } from './shares';

/** The task of the array that gathers. */
const GATHERING = 0;

export interface SlurmArray {
  /** file of the job */
  readonly job: string;
  readonly out: string;
  readonly shares: Share['of'];
  /** where the command line was given, and means the same again */
  readonly folder: string;
}

/** A word of the shell: whatever stands in it, also a line break, is the word. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Files and folders are those that all nodes see. */
export const slurmScript = ({ job, out, shares, folder }: SlurmArray): string => `#!/bin/bash
# A sweep in ${shares} shares, and the table of them all. Save this text as sweep.slurm, and
#   id=$(sbatch --parsable --time=02:00:00 sweep.slurm)
#   sbatch --dependency=afterok:$id --array=${GATHERING} sweep.slurm
# A share that was ended goes on where it was when it is submitted again: sbatch --array=NUMBER sweep.slurm
#SBATCH --job-name=moreau-sweep
#SBATCH --array=1-${shares}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
set -eu

cd -- ${quoted(folder)}
job=${quoted(job)}
out=${quoted(out)}
share="\${SLURM_ARRAY_TASK_ID:?is set by Slurm for each job of an array}"
# How Moreau is called on the nodes.
read -r -a moreau <<< "\${MOREAU:-npx moreau}"

if [ "$share" -eq ${GATHERING} ]; then
  exec "\${moreau[@]}" sweep "$job" --merge --out "$out"
fi
exec "\${moreau[@]}" sweep "$job" --share "$share/${shares}" --resume --workers "\${SLURM_CPUS_PER_TASK:-1}" --out "$out"
`;
