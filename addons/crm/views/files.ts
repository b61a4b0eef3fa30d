import actions from './actions.xml'
import corePartnerFormExtension from './core-partner-form-extension.xml'
import crmActivityCalendar from './crm-activity-calendar.xml'
import crmActivityForm from './crm-activity-form.xml'
import crmActivityGraph from './crm-activity-graph.xml'
import crmActivityKanban from './crm-activity-kanban.xml'
import crmActivityList from './crm-activity-list.xml'
import crmActivityPivot from './crm-activity-pivot.xml'
import crmActivitySearch from './crm-activity-search.xml'
import crmLeadCalendar from './crm-lead-calendar.xml'
import crmLeadCohort from './crm-lead-cohort.xml'
import crmLeadForm from './crm-lead-form.xml'
import crmLeadGantt from './crm-lead-gantt.xml'
import crmLeadGraph from './crm-lead-graph.xml'
import crmLeadKanban from './crm-lead-kanban.xml'
import crmLeadList from './crm-lead-list.xml'
import crmLeadMap from './crm-lead-map.xml'
import crmLeadPivot from './crm-lead-pivot.xml'
import crmLeadSearch from './crm-lead-search.xml'
import crmStageList from './crm-stage-list.xml'
import crmTagList from './crm-tag-list.xml'
import crmTeamForm from './crm-team-form.xml'
import crmTeamKanban from './crm-team-kanban.xml'
import crmTeamList from './crm-team-list.xml'
import menus from './menus.xml'
import saleOrderFormExtension from './sale-order-form-extension.xml'
import saleOrderSearchExtension from './sale-order-search-extension.xml'

/** Views first, then the actions that open them and the menus that lead there. */
export const viewFiles = [
  { name: 'views/crm-activity-calendar.xml', text: crmActivityCalendar },
  { name: 'views/crm-activity-form.xml', text: crmActivityForm },
  { name: 'views/crm-activity-graph.xml', text: crmActivityGraph },
  { name: 'views/crm-activity-kanban.xml', text: crmActivityKanban },
  { name: 'views/crm-activity-list.xml', text: crmActivityList },
  { name: 'views/crm-activity-pivot.xml', text: crmActivityPivot },
  { name: 'views/crm-activity-search.xml', text: crmActivitySearch },
  { name: 'views/crm-lead-calendar.xml', text: crmLeadCalendar },
  { name: 'views/crm-lead-cohort.xml', text: crmLeadCohort },
  { name: 'views/crm-lead-form.xml', text: crmLeadForm },
  { name: 'views/crm-lead-gantt.xml', text: crmLeadGantt },
  { name: 'views/crm-lead-graph.xml', text: crmLeadGraph },
  { name: 'views/crm-lead-kanban.xml', text: crmLeadKanban },
  { name: 'views/crm-lead-list.xml', text: crmLeadList },
  { name: 'views/crm-lead-map.xml', text: crmLeadMap },
  { name: 'views/crm-lead-pivot.xml', text: crmLeadPivot },
  { name: 'views/crm-lead-search.xml', text: crmLeadSearch },
  { name: 'views/crm-stage-list.xml', text: crmStageList },
  { name: 'views/crm-tag-list.xml', text: crmTagList },
  { name: 'views/crm-team-form.xml', text: crmTeamForm },
  { name: 'views/crm-team-kanban.xml', text: crmTeamKanban },
  { name: 'views/crm-team-list.xml', text: crmTeamList },
  { name: 'views/core-partner-form-extension.xml', text: corePartnerFormExtension },
  { name: 'views/sale-order-form-extension.xml', text: saleOrderFormExtension },
  { name: 'views/sale-order-search-extension.xml', text: saleOrderSearchExtension },
  { name: 'views/actions.xml', text: actions },
  { name: 'views/menus.xml', text: menus },
]
