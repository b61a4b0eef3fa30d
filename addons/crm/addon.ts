import { defineAddon } from '#kernel'
import data from './data/crm.xml'
import dashboard from './data/dashboard.xml'
import demoGroups from './demo/core.group.csv'
import activities from './demo/crm.activity.csv'
import leads from './demo/crm.lead.csv'
import tags from './demo/crm.tag.csv'
import teams from './demo/crm.team.csv'
import { german } from './i18n/de.ts'
import { refreshActivities } from './jobs/refresh-activities.ts'
import { corePartnerLead, corePartnerLeadBehavior } from './models/core-partner.ts'
import { crmActivity, crmActivityBehavior } from './models/crm-activity.ts'
import { crmLead, crmLeadBehavior } from './models/crm-lead.ts'
import { crmStage } from './models/crm-stage.ts'
import { crmTag } from './models/crm-tag.ts'
import { crmTeam, crmTeamBehavior } from './models/crm-team.ts'
import { crmLeadFigures } from './models/lead-figures.ts'
import { crmLeadForm } from './models/lead-form.ts'
import { saleOrderLead, saleOrderLeadBehavior } from './models/sale-order.ts'
import access from './security/access.csv'
import groups from './security/core.group.csv'
import rules from './security/rules.xml'
import { closingDays } from './settings/closing-days.ts'
import { viewFiles } from './views/files.ts'

export default defineAddon({
  name: 'crm',
  title: 'CRM',
  version: '1.7',
  summary: 'Leads and opportunities, from the first call to the order',
  application: true,
  depends: ['base', 'mail', 'sale'],
  models: [crmStage, crmTag, crmTeam, crmLead, crmActivity, saleOrderLead, corePartnerLead],
  behaviors: [
    crmTeamBehavior,
    crmLeadBehavior,
    crmLeadFigures,
    crmLeadForm,
    crmActivityBehavior,
    saleOrderLeadBehavior,
    corePartnerLeadBehavior,
  ],
  jobs: { refresh_activities: refreshActivities },
  data: [
    { name: 'security/core.group.csv', text: groups },
    { name: 'security/access.csv', text: access },
    { name: 'security/rules.xml', text: rules },
    { name: 'data/crm.xml', text: data },
    ...viewFiles,
    { name: 'data/dashboard.xml', text: dashboard },
  ],
  demo: [
    { name: 'demo/core.group.csv', text: demoGroups },
    { name: 'demo/crm.tag.csv', text: tags },
    { name: 'demo/crm.team.csv', text: teams },
    { name: 'demo/crm.lead.csv', text: leads },
    { name: 'demo/crm.activity.csv', text: activities },
  ],
  home: {
    figures: [
      {
        label: 'Won this month',
        model: 'crm.lead',
        domain: [
          ['type', '=', 'opportunity'],
          ['outcome', '=', 'won'],
        ],
        measure: 'expected_revenue',
        date: 'date_closed',
        action: 'action_pipeline',
      },
      {
        label: 'New opportunities',
        model: 'crm.lead',
        domain: [['type', '=', 'opportunity']],
        date: 'date_open',
        action: 'action_pipeline',
      },
    ],
    activities: [
      {
        model: 'crm.activity',
        domain: [['date_done', '=', null]],
        title: 'summary',
        about: 'lead_id',
        date: 'date_deadline',
        user: 'user_id',
        icon: {
          field: 'type',
          icons: { call: 'phone', mail: 'mail', meeting: 'calendar', todo: 'square-check-big' },
        },
        action: 'action_activities',
      },
    ],
  },
  settings: [closingDays],
  translations: { de: german },
})
