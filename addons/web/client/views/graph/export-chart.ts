import { type CsvCell, downloadCsv, downloadFile } from '../shared/analysis/download.ts'
import type { ChartData } from './chart-data.ts'
import type { ChartLook } from './chart-options.ts'

/** The table of a chart as a file. */
export function exportTable(name: string, axis: string, total: string, data: ChartData): void {
  const series = data.hasSeries ? data.series : []
  const rows: readonly (readonly CsvCell[])[] = [
    [axis, ...series.map(({ label }) => label), total],
    ...data.groups.map((group, index) => [
      group.label,
      ...series.map(({ figures }) => figures[index]?.value ?? null),
      group.value,
    ]),
    [total, ...series.map(({ value }) => value), data.total.value],
  ]
  downloadCsv(name, rows)
}

const MARGIN = 24
const TITLE = 40

/** The picture on the ground of the page, with its title. */
export function exportPicture(name: string, chart: HTMLCanvasElement, { colours, font }: ChartLook): void {
  const scale = chart.width / chart.clientWidth
  const [margin, title] = [MARGIN * scale, TITLE * scale]
  const picture = Object.assign(document.createElement('canvas'), {
    width: chart.width + 2 * margin,
    height: chart.height + 2 * margin + title,
  })
  const context = picture.getContext('2d')
  if (!context) return
  context.fillStyle = colours.surface
  context.fillRect(0, 0, picture.width, picture.height)
  context.fillStyle = colours.text
  context.font = `600 ${16 * scale}px ${font}`
  context.fillText(name, margin, margin + title / 2)
  context.drawImage(chart, margin, margin + title)
  picture.toBlob((blob) => blob && downloadFile(`${name}.png`, blob), 'image/png')
}
