import { defineModel, type FieldsOf, field } from '#kernel'

/** A column of the board. Stages are shared by all projects. */
export const projectStage = defineModel('project.stage', {
  label: 'Task Stage',
  order: 'sequence, id',
  expandGroups: true,
  fields: {
    name: field.char({ required: true, size: 100, translate: true }),
    sequence: field.integer({ required: true, default: 10 }),
    fold: field.boolean({ label: 'Folded', help: 'The column of this stage starts narrow.' }),
    is_closed: field.boolean({ label: 'Closes Tasks', help: 'A task in this stage is over.' }),
    description: field.text({ translate: true, help: 'When a task belongs here.' }),
    active: field.boolean({ default: true }),
  },
})

declare module '#kernel' {
  interface Models {
    'project.stage': ProjectStage
  }
  interface ProjectStage extends FieldsOf<typeof projectStage> {}
}
