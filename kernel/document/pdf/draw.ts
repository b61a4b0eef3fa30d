import { PDFDocument, type PDFImage, PDFName, type PDFPage, type PDFRef, PDFString } from 'pdf-lib'
import type { DocumentContent } from '../content.ts'
import { cleanText } from '../font/clean-text.ts'
import type { Face } from '../font/face.ts'
import type { FontSet } from '../font/font-set.ts'
import type { DrawnPage } from '../layout/box.ts'
import { EmbeddedFace } from './embedded-face.ts'
import { embedLogo } from './logo.ts'
import { type GlyphRun, operatorsOf } from './operators.ts'
import { Structure } from './structure.ts'

const PROGRAM = 'Modulus'

/** Fonts and pictures of one file, by the names that content streams use. */
export interface Resources {
  readonly fonts: FontSet
  readonly logo: PDFImage | null
  /** What was drawn already, by weight and text. */
  readonly runs: Map<string, readonly GlyphRun[]>
  /** The font of the file that this one is embedded as. */
  faceOf(face: Face): EmbeddedFace
}

/** The PDF file of laid-out pages. `pause` gives other requests their turn. */
export async function drawPdf(
  fonts: FontSet,
  content: DocumentContent,
  pages: readonly DrawnPage[],
  pause: () => Promise<void>,
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false })
  describe(pdf, content)
  const structure = new Structure(pdf.context)
  const faces = new Map<Face, { readonly embedded: EmbeddedFace; readonly ref: PDFRef }>()
  const resources: Resources = {
    fonts,
    runs: new Map(),
    logo: await embedLogo(pdf, hasLogo(pages) ? content.letterhead.logo : null),
    faceOf(face) {
      const known = faces.get(face)
      if (known) return known.embedded
      const embedded = new EmbeddedFace(face, `F${faces.size + 1}`)
      faces.set(face, { embedded, ref: pdf.context.nextRef() })
      return embedded
    },
  }
  const drawn: PDFPage[] = []
  for (const page of pages) {
    drawn.push(drawPage(pdf, page, resources, structure))
    await pause()
  }
  const fontRefs = pdf.context.obj(
    Object.fromEntries([...faces.values()].map(({ embedded, ref }) => [embedded.name, ref])),
  )
  const shared = pdf.context.register(
    pdf.context.obj({ Font: fontRefs, ...(resources.logo && { XObject: { Logo: resources.logo.ref } }) }),
  )
  for (const page of drawn) page.node.set(PDFName.Resources, shared)
  for (const { embedded, ref } of faces.values()) {
    await embedded.embed(pdf.context, ref)
    await pause()
  }
  pdf.catalog.set(PDFName.of('StructTreeRoot'), structure.finish())
  await pause()
  return pdf.save({ objectsPerTick: 500, addDefaultPage: false })
}

const hasLogo = (pages: readonly DrawnPage[]): boolean =>
  pages.some(({ boxes }) => boxes.some(({ kind }) => kind === 'logo'))

function drawPage(pdf: PDFDocument, page: DrawnPage, resources: Resources, structure: Structure): PDFPage {
  const drawn = pdf.addPage([page.sheet.width, page.sheet.height])
  drawn.node.set(PDFName.of('StructParents'), pdf.context.obj(structure.openPage()))
  drawn.node.set(PDFName.of('Tabs'), PDFName.of('S'))
  const operators = operatorsOf(page, resources, (tag) => structure.mark(tag, drawn.ref))
  drawn.node.set(PDFName.Contents, pdf.context.register(pdf.context.flateStream(operators)))
  return drawn
}

function describe(pdf: PDFDocument, { title, author, lang, createdAt }: DocumentContent): void {
  const { catalog, context } = pdf
  pdf.setTitle(oneLine(title), { showInWindowTitleBar: true })
  pdf.setAuthor(oneLine(author))
  pdf.setCreator(PROGRAM)
  pdf.setProducer(PROGRAM)
  pdf.setCreationDate(new Date(createdAt))
  pdf.setModificationDate(new Date(createdAt))
  catalog.set(PDFName.of('Lang'), PDFString.of(lang))
  catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }))
}

const oneLine = (text: string): string => cleanText(text).replaceAll('\n', ' ')
