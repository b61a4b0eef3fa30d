import { deferred, deferredComponent } from '../../../core/deferred.tsx'
import type { MeasuredProps } from './measured.tsx'

const Loaded = deferredComponent(
  deferred(() => import('./measured.tsx')),
  (parts) => parts.OpenedFigure,
)

/** Loads the figure of the tile or chart that opened the list, if any. */
export const Measured = (props: MeasuredProps) =>
  props.model.route.value.state['measure'] ? <Loaded {...props} /> : null
