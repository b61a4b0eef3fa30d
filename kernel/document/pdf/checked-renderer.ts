import { AppError } from '../../errors.ts'
import type { DocumentContent } from '../content.ts'
import { type FontFiles, FontSet } from '../font/font-set.ts'
import { renderPdf } from './render.ts'

type Render = (content: DocumentContent, pause: () => Promise<void>) => Promise<Uint8Array>

/**
 * Renders with fallback fonts that may be damaged. A document that such a font breaks is rendered without it, with boxes for its
 * characters. `onDamaged` is called once with the place of the damaged fallback, which is not used again.
 */
export function checkedRenderer(files: FontFiles, onDamaged: (place: number) => void): Render {
  const open = (places: readonly number[]) => new FontSet({ ...files, fallback: places.map((i) => files.fallback[i]!) })
  let working = files.fallback.map((_, place) => place)
  let fonts = open(working)

  const works = async (place: number, ...work: Parameters<Render>) => {
    try {
      await renderPdf(open([place]), ...work)
      return true
    } catch (error) {
      if (error instanceof AppError) throw error
      onDamaged(place)
      return false
    }
  }

  return async (...work) => {
    try {
      return await renderPdf(fonts, ...work)
    } catch (error) {
      if (error instanceof AppError || working.length === 0) throw error
      // If rendering fails without fallback fonts too, they are not the cause, and this error goes to the caller.
      const plain = await renderPdf(open([]), ...work)
      const kept: number[] = []
      for (const place of working) if (await works(place, ...work)) kept.push(place)
      working = kept
      fonts = open(working)
      return renderPdf(fonts, ...work).catch(() => plain)
    }
  }
}
