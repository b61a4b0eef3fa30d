/** Waits until work has ended, for up to `ms`; a later call sets a new limit for all that wait. */
export function createGrace(): (work: Promise<unknown> | null, ms: number) => Promise<void> {
  let endBefore = () => {}
  return async (work, ms) => {
    endBefore()
    const isOver = new Promise<void>((resolve) => {
      endBefore = resolve
      setTimeout(resolve, ms).unref()
    })
    await Promise.race([work, isOver])
  }
}
