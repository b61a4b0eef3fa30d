/** Waits until work has ended, for up to `ms`; whoever asks again decides how long all of them wait. */
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
