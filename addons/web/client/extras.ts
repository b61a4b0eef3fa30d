/** What opens when somebody acts: one chunk, asked for as soon as the first picture is drawn. */
export { FavouriteItems } from './search/favourite-items.tsx'
export { FilterItems } from './search/filter-items.tsx'
export { GroupItems } from './search/group-items.tsx'
export { SearchPanel } from './search/search-panel.tsx'
export { suggestionsFor, suggestRecords } from './search/suggestions.ts'
export { AppItems } from './shell/app-items.tsx'
export { UserItems } from './shell/user-items.tsx'
export { startLate } from './start-late.ts'
