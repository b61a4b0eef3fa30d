/** Parts that few users open: the table, and exports. */
export { exportPicture, exportTable } from './export-chart.ts'
export { ChartTable } from './table.tsx'
