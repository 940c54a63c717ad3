/** What counts as zero to rounding in steps of bodies with contact (docs/adr/0008). */

/**
 * A gap is a difference of sums of a few products: a few units in the last place of the largest of them are
 * rounding.
 */
export const ROUNDINGS = 16 * Number.EPSILON;
/**
 * Steps whose noise may add up in the gap of a contact that goes on pushing. Its velocity is zero up to what
 * the solver leaves, and gaps are sums of velocities; one that really opens leaves this bound behind within a
 * step.
 */
export const NOISY_STEPS = 1000;
