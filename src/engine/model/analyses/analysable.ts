/** Which models analyses of motions take: those that follow disturbances of a state. A sweep takes all. */

/** What a model has that no disturbances are followed of. */
export interface Unfollowed {
  readonly hasBodies: boolean;
  readonly hasBlocks: boolean;
  /** interactions that come and go by conditions */
  readonly hasPresence: boolean;
  /** whether the motion between events is followed in steps of a given length */
  readonly isStepped: boolean;
}

/** Message and remedy; null where disturbances are followed. */
export function whyNotAnalysed({
  hasBodies,
  hasBlocks,
  hasPresence,
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
  if (hasPresence)
    return {
      message:
        'This model has interactions that come and go by conditions, across which disturbances are not followed.',
      remedy: 'Sweeps analyse it by runs.',
    };
  if (isStepped)
    return {
      message:
        'The motion between events is computed by generalised-α here, whose steps have no derivative that disturbances could follow.',
      remedy: 'Choose another method for the motion between events; sweeps take this one, too.',
    };
  return null;
}
