import actions from './actions.xml'
import corePartnerGraph from './core-partner-graph.xml'
import corePartnerKanban from './core-partner-kanban.xml'
import corePartnerMap from './core-partner-map.xml'
import menus from './menus.xml'

/** Views first, then the actions that open them and the menus that lead there. */
export const viewFiles = [
  { name: 'views/core-partner-graph.xml', text: corePartnerGraph },
  { name: 'views/core-partner-kanban.xml', text: corePartnerKanban },
  { name: 'views/core-partner-map.xml', text: corePartnerMap },
  { name: 'views/actions.xml', text: actions },
  { name: 'views/menus.xml', text: menus },
]
