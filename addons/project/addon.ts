import { defineAddon } from '#kernel'
import dashboard from './data/dashboard.xml'
import data from './data/project.xml'
import demoGroups from './demo/core.group.csv'
import milestones from './demo/project.milestone.csv'
import projects from './demo/project.project.csv'
import tags from './demo/project.tag.csv'
import tasks from './demo/project.task.csv'
import timesheets from './demo/project.timesheet.csv'
import { german } from './i18n/de.ts'
import { projectProjectFigures } from './models/project-figures.ts'
import { projectMilestone, projectMilestoneBehavior } from './models/project-milestone.ts'
import { projectProject, projectProjectBehavior } from './models/project-project.ts'
import { projectStage } from './models/project-stage.ts'
import { projectTag } from './models/project-tag.ts'
import { projectTask, projectTaskBehavior } from './models/project-task.ts'
import { projectTimesheet, projectTimesheetBehavior } from './models/project-timesheet.ts'
import { projectTaskFigures } from './models/task-figures.ts'
import access from './security/access.csv'
import groups from './security/core.group.csv'
import rules from './security/rules.xml'
import { leastMinutes, roundingMinutes } from './settings/entered-minutes.ts'
import { viewFiles } from './views/files.ts'

export default defineAddon({
  name: 'project',
  version: '1.7',
  summary: 'Projects, tasks and the hours they take',
  application: true,
  depends: ['base', 'mail', 'contacts'],
  models: [projectStage, projectTag, projectProject, projectMilestone, projectTask, projectTimesheet],
  behaviors: [
    projectProjectBehavior,
    projectProjectFigures,
    projectMilestoneBehavior,
    projectTaskBehavior,
    projectTaskFigures,
    projectTimesheetBehavior,
  ],
  data: [
    { name: 'security/core.group.csv', text: groups },
    { name: 'security/access.csv', text: access },
    { name: 'security/rules.xml', text: rules },
    { name: 'data/project.xml', text: data },
    ...viewFiles,
    { name: 'data/dashboard.xml', text: dashboard },
  ],
  demo: [
    { name: 'demo/core.group.csv', text: demoGroups },
    { name: 'demo/project.tag.csv', text: tags },
    { name: 'demo/project.project.csv', text: projects },
    { name: 'demo/project.milestone.csv', text: milestones },
    { name: 'demo/project.task.csv', text: tasks },
    { name: 'demo/project.timesheet.csv', text: timesheets },
  ],
  home: {
    figures: [
      {
        label: 'Tasks finished',
        model: 'project.task',
        domain: [['is_closed', '=', true]],
        date: 'date_closed',
        action: 'action_tasks',
      },
    ],
    activities: [
      {
        model: 'project.task',
        domain: [['is_closed', '=', false]],
        title: 'name',
        about: 'project_id',
        date: 'date_end',
        user: 'user_ids',
        icon: 'square-check-big',
        action: 'action_my_tasks',
      },
    ],
  },
  settings: [roundingMinutes, leastMinutes],
  translations: { de: german },
})
