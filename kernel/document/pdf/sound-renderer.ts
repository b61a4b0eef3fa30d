import { AppError } from '../../errors.ts'
import type { DocumentContent } from '../content.ts'
import { type FontFiles, FontSet } from '../font/font-set.ts'
import { renderPdf } from './render.ts'

type Render = (content: DocumentContent, pause: () => Promise<void>) => Promise<Uint8Array>

/**
 * Renders with fonts of which the fallbacks may be damaged. A document that such a font breaks is made without it: its characters are
 * boxes then. `onDamaged` hears once which of the fallbacks it is; it is left out from then on.
 */
export function soundRenderer(files: FontFiles, onDamaged: (place: number) => void): Render {
  const open = (places: readonly number[]) => new FontSet({ ...files, fallback: places.map((i) => files.fallback[i]!) })
  let sound = files.fallback.map((_, place) => place)
  let fonts = open(sound)

  const isSound = async (place: number, ...work: Parameters<Render>) => {
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
      if (error instanceof AppError || sound.length === 0) throw error
      // If it cannot be made with the fonts of the house either, it is not for their sake.
      const plain = await renderPdf(open([]), ...work)
      const kept: number[] = []
      for (const place of sound) if (await isSound(place, ...work)) kept.push(place)
      sound = kept
      fonts = open(sound)
      return renderPdf(fonts, ...work).catch(() => plain)
    }
  }
}
