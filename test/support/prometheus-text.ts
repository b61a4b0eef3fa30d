export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)",?/
const VALUE = /^ (NaN|[+-]Inf|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i
/** What a sample of a family may be called besides the family itself. */
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
}

/** Reads the text format of Prometheus (0.0.4) and throws whatever breaks its rules, or the naming rules of `promtool`. */
export function parsePrometheusText(text: string): Sample[] {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.')
  const types = new Map<string, string>()
  const helped = new Set<string>()
  const seen = new Set<string>()
  const samples: Sample[] = []
  let family = ''
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (keyword === 'HELP') {
      if (helped.has(name)) throw new Error(`${name} has two HELP lines.`)
      helped.add(name)
    } else if (keyword === 'TYPE') {
      if (types.has(name) || !(rest in SUFFIXES)) throw new Error(`Bad TYPE: ${line}`)
      if ((rest === 'counter') !== name.endsWith('_total')) throw new Error(`${name} is misnamed for a ${rest}.`)
      types.set(name, rest)
      family = name
    } else {
      const sample = parseSample(line)
      const suffixes = SUFFIXES[types.get(family) ?? ''] ?? []
      if (!helped.has(family) || !suffixes.some((suffix) => sample.name === family + suffix))
        throw new Error(`${sample.name} stands outside its family.`)
      const series = `${sample.name}${JSON.stringify(Object.entries(sample.labels).sort())}`
      if (seen.has(series)) throw new Error(`${series} comes twice.`)
      seen.add(series)
      samples.push(sample)
    }
  }
  return samples
}

function parseSample(line: string): Sample {
  const name = NAME.exec(line)?.[0]
  if (name === undefined) throw new Error(`Not a sample: ${line}`)
  let rest = line.slice(name.length)
  const labels: Record<string, string> = {}
  if (rest.startsWith('{')) {
    rest = rest.slice(1)
    for (let label = LABEL.exec(rest); label; label = LABEL.exec(rest)) {
      if (Object.hasOwn(labels, label[1]!)) throw new Error(`A label comes twice: ${line}`)
      labels[label[1]!] = label[2]!
      rest = rest.slice(label[0].length)
    }
    if (!rest.startsWith('}')) throw new Error(`Bad labels: ${line}`)
    rest = rest.slice(1)
  }
  const value = VALUE.exec(rest)?.[1]
  if (value === undefined) throw new Error(`Bad value: ${line}`)
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) }
}
