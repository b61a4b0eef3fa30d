import type { Field } from './field.ts'

/** Whether it links to any number of records. */
export const isX2many = ({ relation }: Field): boolean => relation !== null && relation.kind !== 'many2one'

/** Whether its value is computed each time it is read. */
export const isReadCompute = ({ compute }: Field): boolean => compute !== null && !compute.stored
