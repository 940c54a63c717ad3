/** Which models analyses of motions take: those that follow disturbances of a state. A sweep takes all. */

/** What a model has that no disturbances are followed of. */
export interface Unfollowed {
  readonly hasBodies: boolean;
  readonly hasBlocks: boolean;
  /** interactions of velocities that come and go by conditions */
  readonly hasContactsThatGo: boolean;
  /** whether what is there depends on what was there before */
  readonly remembersPresence: boolean;
  /** whether the motion between events is followed in steps of a given length */
  readonly isStepped: boolean;
}

/** Message and remedy; null where disturbances are followed. */
export function whyNotAnalysed({
  hasBodies,
  hasBlocks,
  hasContactsThatGo,
  remembersPresence,
  isStepped,
}: Unfollowed): { readonly message: string; readonly remedy: string } | null {
  if (hasBodies)
    return {
      message: 'This model has 3D bodies, whose disturbances are not followed.',
      remedy: 'Sweeps analyse it by runs.',
    };
  if (hasBlocks)
    return {
      message: 'This model has control blocks: what they remember is no part of the state that is analysed.',
      remedy: 'Sweeps analyse it by runs.',
    };
  if (hasContactsThatGo)
    return {
      message:
        'This model has interactions of velocities that come and go by conditions, across which disturbances are not followed.',
      remedy: 'Sweeps analyse it by runs.',
    };
  if (remembersPresence)
    return {
      message:
        'This model has conditions with hysteresis, or latches as of thyristors: what these remember is no part of the state that is analysed.',
      remedy: 'Sweeps analyse it by runs. Hysteresis of a relay among signals is a part of the state.',
    };
  if (isStepped)
    return {
      message:
        'The motion between events is computed by generalised-α here, whose steps have no derivative that disturbances could follow.',
      remedy: 'Choose another method for the motion between events; sweeps take this one, too.',
    };
  return null;
}
