/** How a verdict looks, in the badge and wherever something is judged. */
import type { Judgement } from '@contract/verdict';
import { ShieldCheck, ShieldQuestionMark, ShieldX } from '@lucide/vue';
import type { Component } from 'vue';

export const VERDICT_LOOKS = {
  holds: { icon: ShieldCheck, tone: 'good' },
  fails: { icon: ShieldX, tone: 'bad' },
  unknown: { icon: ShieldQuestionMark, tone: 'plain' },
} as const satisfies Record<Judgement, { icon: Component; tone: string }>;
