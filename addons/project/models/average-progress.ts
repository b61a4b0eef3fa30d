interface Work {
  readonly progress: number | null
  readonly planned_hours: number | null
}

/** Average progress of tasks in percent, weighted by planned hours; a task without planned hours counts as one hour. */
export function averageProgress(tasks: readonly Work[]): number {
  let done = 0
  let all = 0
  for (const { progress, planned_hours } of tasks) {
    const weight = planned_hours || 1
    done += weight * (progress ?? 0)
    all += weight
  }
  return all === 0 ? 0 : Math.round((done / all) * 100) / 100
}
