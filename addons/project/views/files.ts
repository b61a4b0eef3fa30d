import actions from './actions.xml'
import menus from './menus.xml'
import projectMilestoneCalendar from './project-milestone-calendar.xml'
import projectMilestoneForm from './project-milestone-form.xml'
import projectMilestoneList from './project-milestone-list.xml'
import projectMilestoneSearch from './project-milestone-search.xml'
import projectProjectForm from './project-project-form.xml'
import projectProjectGantt from './project-project-gantt.xml'
import projectProjectKanban from './project-project-kanban.xml'
import projectProjectList from './project-project-list.xml'
import projectProjectSearch from './project-project-search.xml'
import projectStageList from './project-stage-list.xml'
import projectTagList from './project-tag-list.xml'
import projectTaskCalendar from './project-task-calendar.xml'
import projectTaskCohort from './project-task-cohort.xml'
import projectTaskForm from './project-task-form.xml'
import projectTaskGantt from './project-task-gantt.xml'
import projectTaskGraph from './project-task-graph.xml'
import projectTaskKanban from './project-task-kanban.xml'
import projectTaskList from './project-task-list.xml'
import projectTaskPivot from './project-task-pivot.xml'
import projectTaskSearch from './project-task-search.xml'
import projectTimesheetCalendar from './project-timesheet-calendar.xml'
import projectTimesheetGraph from './project-timesheet-graph.xml'
import projectTimesheetList from './project-timesheet-list.xml'
import projectTimesheetPivot from './project-timesheet-pivot.xml'
import projectTimesheetSearch from './project-timesheet-search.xml'

/** Views first, then the actions that open them and the menus that lead there. */
export const viewFiles = [
  { name: 'views/project-milestone-calendar.xml', text: projectMilestoneCalendar },
  { name: 'views/project-milestone-form.xml', text: projectMilestoneForm },
  { name: 'views/project-milestone-list.xml', text: projectMilestoneList },
  { name: 'views/project-milestone-search.xml', text: projectMilestoneSearch },
  { name: 'views/project-project-form.xml', text: projectProjectForm },
  { name: 'views/project-project-gantt.xml', text: projectProjectGantt },
  { name: 'views/project-project-kanban.xml', text: projectProjectKanban },
  { name: 'views/project-project-list.xml', text: projectProjectList },
  { name: 'views/project-project-search.xml', text: projectProjectSearch },
  { name: 'views/project-stage-list.xml', text: projectStageList },
  { name: 'views/project-tag-list.xml', text: projectTagList },
  { name: 'views/project-task-calendar.xml', text: projectTaskCalendar },
  { name: 'views/project-task-cohort.xml', text: projectTaskCohort },
  { name: 'views/project-task-form.xml', text: projectTaskForm },
  { name: 'views/project-task-gantt.xml', text: projectTaskGantt },
  { name: 'views/project-task-graph.xml', text: projectTaskGraph },
  { name: 'views/project-task-kanban.xml', text: projectTaskKanban },
  { name: 'views/project-task-list.xml', text: projectTaskList },
  { name: 'views/project-task-pivot.xml', text: projectTaskPivot },
  { name: 'views/project-task-search.xml', text: projectTaskSearch },
  { name: 'views/project-timesheet-calendar.xml', text: projectTimesheetCalendar },
  { name: 'views/project-timesheet-graph.xml', text: projectTimesheetGraph },
  { name: 'views/project-timesheet-list.xml', text: projectTimesheetList },
  { name: 'views/project-timesheet-pivot.xml', text: projectTimesheetPivot },
  { name: 'views/project-timesheet-search.xml', text: projectTimesheetSearch },
  { name: 'views/actions.xml', text: actions },
  { name: 'views/menus.xml', text: menus },
]
