import { useId } from 'preact/hooks'
import { services } from '../../services.ts'
import { searchNames } from '../../store/queries.ts'
import { Combobox } from '../../ui/combobox.tsx'

export interface PickedRecord {
  readonly id: number
  readonly name: string
}

interface RecordPickerProps {
  readonly model: string
  readonly label: string
  onPick(record: PickedRecord): void
}

/** Finds a record by its name. */
export const RecordPicker = ({ model, label, onPick }: RecordPickerProps) => (
  <Combobox<PickedRecord>
    id={useId()}
    label={label}
    text=""
    find={async (typed, signal) =>
      (await searchNames(services().rpc, model, typed, [], { signal })).map(([id, name]) => ({
        value: { id, name },
        label: name,
      }))
    }
    onChoose={onPick}
  />
)
