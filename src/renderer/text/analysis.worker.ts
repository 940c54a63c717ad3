/** Analyses texts of documents in a thread of its own. */
import { TextAnalysis } from './analysis';
import type { TextReply, TextRequest } from './analyst';

let analysis = new TextAnalysis('');

self.addEventListener('message', ({ data }: MessageEvent<TextRequest>) => {
  if (data.source !== undefined) analysis = new TextAnalysis(data.source);
  const { question, argument } = data;
  const ask = (): unknown => {
    if (question === 'read') return analysis.read(argument as number);
    if (question === 'ranges') return analysis.ranges(argument as string[]);
    return analysis.pointerAt(argument as number);
  };
  const reply: TextReply = { id: data.id, answer: ask() };
  self.postMessage(reply);
});
