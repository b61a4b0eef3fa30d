import { deferred, deferredComponent } from '../../../core/deferred.tsx'
import type { MeasuredProps } from './measured.tsx'

const Loaded = deferredComponent(
  deferred(() => import('./measured.tsx')),
  (parts) => parts.OpenedFigure,
)

/** Loads the figure of a tile or chart where one opened the list. */
export const Measured = (props: MeasuredProps) =>
  props.model.route.value.state['measure'] ? <Loaded {...props} /> : null
