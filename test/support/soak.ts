/**
 * Long forms of tests: `SOAK=1` runs them whole, `SOAK=0.1` a tenth of them. `npm run soak` runs the files that import this one,
 * and no others.
 */
const share = Number(process.env['SOAK'] || 0)
if (!(share >= 0 && share <= 1)) throw new Error('SOAK must be a number from 0 to 1.')

export const isSoak = share > 0

/** How often a test repeats something: `usual` times, in a soak up to `long` times. */
export const repeats = (usual: number, long: number): number =>
  isSoak ? Math.max(usual, Math.round(long * share)) : usual

/**
 * What a test visits of a long list: in a usual run each `step`th, beginning with the one at `first`, in a soak all
 * of it.
 */
export const eachNth = <T>(all: readonly T[], step: number, first = 0): readonly T[] =>
  isSoak ? all : all.filter((_, index) => index % step === first)
