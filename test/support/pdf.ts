import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackages, mayInstall } from './debian-packages.ts'

const PACKAGES = { qpdf: 'qpdf', pdftotext: 'poppler-utils', pdfinfo: 'poppler-utils' } as const

type Tool = keyof typeof PACKAGES

const isThere = (tool: Tool): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, tool)))

/** Debian's package is installed when this is root. Throws if it is missing and cannot be installed. */
function requireTool(tool: Tool): Tool {
  if (isThere(tool)) return tool
  if (mayInstall()) installPackages([PACKAGES[tool]])
  if (isThere(tool)) return tool
  throw new Error(`The tests of PDF files need ${tool}: install it (apt-get install ${PACKAGES[tool]}).`)
}

/** Runs a tool on a PDF file; throws with its output if it fails. */
function run(tool: Tool, file: Uint8Array, args: (path: string) => readonly string[]): string {
  requireTool(tool)
  const folder = mkdtempSync(join(tmpdir(), 'modulus-pdf-'))
  try {
    const path = join(folder, 'file.pdf')
    writeFileSync(path, file)
    return execFileSync(tool, args(path), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Throws unless the file is sound. */
export const checkPdf = (file: Uint8Array): void => {
  run('qpdf', file, (path) => ['--check', path])
}

/** Its text as copied by a user, with every kind of space as one. */
export const pdfText = (file: Uint8Array): string =>
  run('pdftotext', file, (path) => ['-layout', path, '-']).replace(/[^\S\n\f]+/g, ' ')

/** What it says about itself: `Title`, `Pages`, `Page size`, `Tagged`. */
export const pdfInfo = (file: Uint8Array): Readonly<Record<string, string>> =>
  Object.fromEntries(
    run('pdfinfo', file, (path) => [path])
      .split('\n')
      .flatMap((line) => {
        const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
        return name === undefined ? [] : [[name, value ?? '']]
      }),
  )

/** The structure of a file for screen readers: headings and tables. */
export const pdfStructure = (file: Uint8Array): string => run('pdfinfo', file, (path) => ['-struct-text', path])
