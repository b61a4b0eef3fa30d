/** The outline of the world, loaded beside the records; see canvas.tsx. */
export { Outline, UNITS } from './outline.tsx'
