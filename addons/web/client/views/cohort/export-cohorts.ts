import { t } from '../../core/i18n.ts'
import { downloadCsv } from '../shared/analysis/download.ts'
import type { CohortData } from './cohort-data.ts'

const round = (share: number | null | undefined): number | null =>
  share == null ? null : Math.round(share * 10_000) / 10_000

/** The shares as a file. */
export function exportCohorts(
  name: string,
  start: string,
  measure: string,
  { offsets, cohorts, averages }: CohortData,
): void {
  downloadCsv(name, [
    [start, measure, ...offsets],
    ...cohorts.map(({ day, total, cells }) => [day, total, ...cells.map((cell) => round(cell?.share))]),
    [t('Average'), null, ...averages.map(round)],
  ])
}
