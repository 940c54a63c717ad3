/** Formats scripts away from the window's thread. */
import { answerFormat, type FormatRequest } from './format-worker';

addEventListener('message', ({ data }: MessageEvent<FormatRequest>) => {
  void answerFormat(data).then((reply) => postMessage(reply));
});
