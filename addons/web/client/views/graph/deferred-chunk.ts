/** What only some look at or ask for: the table, and files. */
export { exportPicture, exportTable } from './export-chart.ts'
export { ChartTable } from './table.tsx'
