import { defineModel, type FieldsOf, field } from '#kernel'
import { stage } from '../../base/models/stage.ts'

/** A column of the board. Stages are shared by all projects. */
export const projectStage = defineModel('project.stage', {
  label: 'Task Stage',
  order: 'sequence, id',
  expandGroups: true,
  mixins: [stage],
  fields: {
    is_closed: field.boolean({ label: 'Closes Tasks', help: 'A task in this stage is over.' }),
    description: field.text({ translate: true, help: 'When a task belongs here.' }),
  },
})

declare module '#kernel' {
  interface Models {
    'project.stage': ProjectStage
  }
  interface ProjectStage extends FieldsOf<typeof projectStage> {}
}
