import type { Field } from './fields/field.ts'
import type { Registry } from './registry.ts'

/** A figure of the home page: this month so far compared with the same days of the month before, and the past weeks. */
export interface HomeFigure {
  readonly label: string
  readonly model: string
  readonly domain?: readonly unknown[]
  /** The stored number that is added up; without one the records are counted. */
  readonly measure?: string
  /** Date or datetime field that decides to which month a record belongs. */
  readonly date: string
  /** External id of the action that lists its records; users who may not open it do not see the figure. */
  readonly action: string
}

/** Records that are tasks for the users they name. */
export interface HomeActivities {
  readonly model: string
  readonly domain?: readonly unknown[]
  readonly title: string
  /** Field that links to the record the task is about. */
  readonly about?: string
  /** Field with the date when it is due. */
  readonly date: string
  /** Field that links to the user or users who have to do it. */
  readonly user: string
  /** Name of an icon, or one for each value of a field. */
  readonly icon: string | { readonly field: string; readonly icons: Readonly<Record<string, string>> }
  /** Like `HomeFigure.action`. */
  readonly action: string
}

/** Something to do in a new installation. The home page ticks it off as soon as there are records that show it was done. */
export interface HomeStep {
  /** Its place among the steps of all addons: lower ones come first. */
  readonly sequence: number
  readonly label: string
  /** One line about it. */
  readonly text: string
  /** Label of its button. */
  readonly button: string
  readonly model: string
  readonly domain?: readonly unknown[]
  /** The number of records that show that it was done; default 1. */
  readonly least?: number
  /** The right on the model that the step requires; users without it do not see it. */
  readonly needs: 'create' | 'write'
  /** Like `HomeFigure.action`. */
  readonly action: string
  /** What the button opens: all records, the form of a new one, the import of a file, the form of the user's company, or the invitation of a user. */
  readonly opens: 'list' | 'new' | 'import' | 'company' | 'invite'
}

/** What an addon brings to the home page. */
export interface HomeParts {
  readonly steps?: readonly HomeStep[]
  readonly figures?: readonly HomeFigure[]
  readonly activities?: readonly HomeActivities[]
}

type Owned<Part> = Part & { readonly addon: string }

/** What all installed addons bring, each part with its addon. */
export interface Home {
  readonly steps: readonly Owned<HomeStep>[]
  readonly figures: readonly Owned<HomeFigure>[]
  readonly activities: readonly Owned<HomeActivities>[]
}

interface AddonHome {
  readonly name: string
  readonly home?: HomeParts
}

export const joinHomes = (addons: readonly AddonHome[]): Home => ({
  steps: addons
    .flatMap(({ name, home }) => (home?.steps ?? []).map((part) => ({ ...part, addon: name })))
    .sort((a, b) => a.sequence - b.sequence),
  figures: addons.flatMap(({ name, home }) => (home?.figures ?? []).map((part) => ({ ...part, addon: name }))),
  activities: addons.flatMap(({ name, home }) => (home?.activities ?? []).map((part) => ({ ...part, addon: name }))),
})

type Need = readonly [field: string | undefined, isFit: (field: Field) => boolean, kind: string]

const isStored = ({ column }: Field): boolean => column !== null
const isMoment = (field: Field): boolean => isStored(field) && ['date', 'datetime'].includes(field.type.name)
const isNumber = (field: Field): boolean => isStored(field) && field.type.measures.includes('sum')
const isUser = ({ relation }: Field): boolean => relation?.target === 'core.user'
const isLink = ({ relation }: Field): boolean => relation?.kind === 'many2one'

/** The fields that each part uses, and the type each must have. */
const figureNeeds = ({ measure, date }: HomeFigure): readonly Need[] => [
  [measure, isNumber, 'a stored number'],
  [date, isMoment, 'a stored date'],
]

const activityNeeds = ({ title, about, date, user, icon }: HomeActivities): readonly Need[] => [
  [title, isStored, 'stored'],
  [about, isLink, 'a link to one record'],
  [date, isMoment, 'a stored date'],
  [user, isUser, 'a link to users'],
  [typeof icon === 'string' ? undefined : icon.field, isStored, 'stored'],
]

/** Fields of the model that a part names. */
export const figureFields = (part: HomeFigure): readonly string[] => namesOf(figureNeeds(part))
export const activityFields = (part: HomeActivities): readonly string[] => namesOf(activityNeeds(part))

const namesOf = (needs: readonly Need[]): readonly string[] => needs.flatMap(([name]) => name ?? [])

/** One sentence for every part that does not match the models. */
export function homeProblems(registry: Registry): readonly string[] {
  const { figures, activities, steps } = registry.home
  return [
    ...steps.flatMap((part) => partProblems(registry, part, [])),
    ...figures.flatMap((part) => partProblems(registry, part, figureNeeds(part))),
    ...activities.flatMap((part) => partProblems(registry, part, activityNeeds(part))),
  ]
}

function partProblems(
  registry: Registry,
  { addon, model: name, domain = [] }: Owned<HomeFigure | HomeActivities | HomeStep>,
  needs: readonly Need[],
): readonly string[] {
  const model = registry.model(name)
  if (model === undefined) return [`${addon}: the home page shows unknown model ${name}`]
  const unfit = needs.flatMap(([field, isFit, kind]) => {
    if (field === undefined) return []
    const known = model.fields.get(field)
    if (known === undefined) return [`${addon}: the home page shows unknown field ${name}.${field}`]
    return isFit(known) ? [] : [`${addon}: the home page needs ${name}.${field} to be ${kind}`]
  })
  const asked = domain.flatMap((part) => (Array.isArray(part) ? String(part[0]).split('.')[0]! : []))
  const unknown = asked.filter((field) => !model.fields.has(field))
  return [...unfit, ...unknown.map((field) => `${addon}: the home page asks for unknown field ${name}.${field}`)]
}
