/** The work of a thread of analyses. Knows no thread. */
import { BasinsParts, computeBasinsHead } from '@engine/analysis/jobs/basins';
import { computeAnalysis } from '@engine/analysis/jobs/compute';
import type { ScriptSandbox } from '@engine/script/sandbox';
import { toRemoteError } from '../host/errors';
import type { AnalysisReply, AnalysisTask } from './analysis-messages';

/** Time between two words on how far it has come, ms. */
const NEWS_MS = 100;

export class AnalysisWorker {
  #plane: BasinsParts | null = null;
  #toldAt = 0;

  constructor(
    private readonly sandbox: () => ScriptSandbox,
    private readonly post: (reply: AnalysisReply) => void,
  ) {}

  /** Whatever goes wrong becomes a message; nothing is thrown. */
  handle(task: AnalysisTask): void {
    try {
      this.#perform(task);
    } catch (error) {
      this.post({ type: 'failed', error: toRemoteError(error) });
    }
  }

  #perform(task: AnalysisTask): void {
    const { sandbox } = this;
    switch (task.type) {
      case 'single':
        this.post({
          type: 'outcome',
          outcome: computeAnalysis(task.job, { sandbox, progress: (part) => this.#tell(part) }),
        });
        break;
      case 'head': {
        const { document, request } = task.job;
        this.post({ type: 'head', head: computeBasinsHead(document, request, { sandbox }) });
        break;
      }
      case 'plane': {
        const { document, request } = task.job;
        this.#plane = new BasinsParts(document, request, task.known, { sandbox });
        break;
      }
      case 'part':
        if (this.#plane === null) throw new Error('a part was asked for before its plane');
        this.post({ type: 'part', part: this.#plane.compute(task.first, task.end) });
        break;
    }
  }

  #tell(part: number): void {
    const now = performance.now();
    if (now - this.#toldAt < NEWS_MS) return;
    this.#toldAt = now;
    this.post({ type: 'progress', part });
  }
}
