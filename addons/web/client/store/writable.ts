import type { WireField, WireRelated } from '../../../../kernel/view/wire.ts'
import type { Values } from './records.ts'
import { areCommands, type X2manyCommand } from './x2many.ts'

export interface WritableOptions {
  readonly fields: ReadonlyMap<string, WireField>
  readonly related: Readonly<Record<string, WireRelated>>
  /** Defaults of fields the view does not show. */
  readonly defaults: Values
}

/** The values of a draft that may be sent to `write` and `create`: computed values are left out, the server computes them itself. */
export const writableValues = (values: Values, { fields, related, defaults }: WritableOptions): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = fields.get(name)
      if (field ? field.readonly : !(name in defaults)) return []
      if (!areCommands(value)) return [[name, value]]
      const columns = new Map(related[name]?.fields.map((each) => [each.name, each]))
      const commands = value.flatMap((command) => writableCommand(command, columns))
      return commands.length > 0 ? [[name, commands]] : []
    }),
  )

function writableCommand(command: X2manyCommand, columns: ReadonlyMap<string, WireField>): readonly X2manyCommand[] {
  if (command[0] !== 0 && command[0] !== 1) return [command]
  const values = Object.fromEntries(
    Object.entries(command[2]).filter(([name]) => columns.has(name) && !columns.get(name)?.readonly),
  )
  if (command[0] === 0) return [[0, command[1], values]]
  return Object.keys(values).length > 0 ? [[1, command[1], values]] : []
}
