import type pg from 'pg'
import { withClient } from '../support/own-postgres.ts'

/** Rows of one statement, as the service sends them. */
const BATCH = 1_000

/**
 * The least an import can do: cut the lines at their commas, look two columns up by name and insert the rest, a thousand rows at a time in
 * one transaction, which is rolled back. No upload, rights, checks, defaults, events or undo. Returns rows per second.
 */
export async function importFloor(dsn: string, file: string): Promise<number> {
  return withClient(dsn, async (client) => {
    const start = performance.now()
    const [, ...lines] = file.trimEnd().split('\n')
    const rows = lines.map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')))
    const countries = await idsByName(client, 'core_country', new Set(rows.map((row) => row[6]!)))
    const parents = await idsByName(client, 'core_partner', new Set(rows.map((row) => row[7]!)))
    await client.query('begin')
    for (let at = 0; at < rows.length; at += BATCH) {
      const batch = rows.slice(at, at + BATCH)
      const texts = Array.from({ length: 6 }, (_, column) => batch.map((row) => row[column]))
      await client.query({
        name: 'import',
        text: `insert into core_partner
            (name, ref, email, phone, city, street, country_id, parent_id, active, is_company, create_date, write_date, version)
          select r.*, true, false, now(), now(), 1 from unnest(
            $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::int[]) r
          returning id`,
        values: [...texts, batch.map((row) => countries.get(row[6]!)), batch.map((row) => parents.get(row[7]!))],
      })
    }
    await client.query('rollback')
    return (rows.length * 1_000) / (performance.now() - start)
  })
}

async function idsByName(client: pg.Client, table: string, names: ReadonlySet<string>): Promise<Map<string, number>> {
  const { rows } = await client.query<{ id: number; name: string }>(
    `select min(id) as id, name from ${table} where name = any($1) group by name`,
    [[...names]],
  )
  return new Map(rows.map(({ id, name }) => [name, id]))
}

/** The least an export of `rows` partners can do: rows of a cursor, joined to lines of CSV and sent nowhere. Returns rows per second. */
export async function exportFloor(dsn: string, rows: number): Promise<number> {
  return withClient(dsn, async (client) => {
    const start = performance.now()
    await client.query('begin')
    await client.query(
      `declare page no scroll cursor for
        select p.name, p.ref, p.email, p.phone, p.city, c.name, p.is_company, p.create_date::text
        from core_partner p left join core_country c on c.id = p.country_id order by p.id limit ${rows}`,
    )
    let count = 0
    for (;;) {
      const page = await client.query<unknown[]>({ text: `fetch ${5 * BATCH} page`, rowMode: 'array' })
      if (page.rows.length === 0) break
      const text = page.rows.map((row) => row.map(cellOf).join(',')).join('\r\n')
      count += text === '' ? 0 : page.rows.length
    }
    await client.query('rollback')
    return (count * 1_000) / (performance.now() - start)
  })
}

const cellOf = (value: unknown): string => {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
