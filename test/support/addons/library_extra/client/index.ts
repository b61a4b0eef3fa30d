import { addCatalogue, msg, views } from '#sdk'

const load = () => import('./ranking.tsx')

views.add('ranking', { load, loadTile: load, isLive: true, icon: 'star', label: msg('Ranking') })
addCatalogue('de', { Ranking: 'Rangliste', 'Nothing is ranked yet.': 'Noch ohne Rang.' })
