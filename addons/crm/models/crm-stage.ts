import { defineModel, type FieldsOf, field } from '#kernel'
import { stage } from '../../base/models/stage.ts'

/** A column of the pipeline. */
export const crmStage = defineModel('crm.stage', {
  label: 'Pipeline Stage',
  order: 'sequence, id',
  expandGroups: true,
  mixins: [stage],
  fields: {
    probability: field.float({
      label: 'Probability (%)',
      required: true,
      default: 10,
      digits: [6, 2],
      help: 'The probability that a lead gets when it is moved to this stage.',
    }),
    is_won: field.boolean({ label: 'Won', help: 'A lead in this stage has been won.' }),
    requirements: field.text({ translate: true, help: 'What must be known before a lead moves here.' }),
  },
  constraints: {
    probability_range: {
      check: 'probability between 0 and 100',
      fields: ['probability'],
      message: 'A probability lies between 0 and 100 percent.',
    },
  },
})

declare module '#kernel' {
  interface Models {
    'crm.stage': CrmStage
  }
  interface CrmStage extends FieldsOf<typeof crmStage> {}
}
