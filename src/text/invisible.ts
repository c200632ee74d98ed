/**
 * Removes invisible characters (Unicode's Default_Ignorable_Code_Point, and the marks of annotations), because a model
 * reads them, but a person cannot see them. Keeps those that change how other characters look: the joiners and
 * variation selectors of emoji and of scripts other than Latin, and the letters of a flag.
 */
export function withoutInvisible(text: string): string {
  return replaceInvisible(text, () => '')
}

/** Replaces the runs of characters that `withoutInvisible` removes. */
export function replaceInvisible(text: string, by: (run: string) => string): string {
  if (!/[\p{DI}\ufff9-\ufffb]/u.test(text)) return text
  return text.replace(RUN, (run: string, before: string, index: number) =>
    changesWhatIsSeen(run, before, text.slice(index + run.length, index + run.length + 1)) ? run : by(run),
  )
}

/** A run of invisible characters. Its group is the character before the run. */
const RUN = /(?<=([^\p{DI}\ufff9-\ufffb]|^))[\p{DI}\ufff9-\ufffb]+/gu

function changesWhatIsSeen(run: string, before: string, after: string): boolean {
  if (before === BLACK_FLAG) return FLAG_TAGS.test(run) || JOINING.test(run)
  if (/[0-9#*]/.test(before)) return run === EMOJI_SELECTOR && after === KEYCAP
  if (/[\p{ASCII}\s]|^$/u.test(before)) return false
  return JOINING.test(run) || (/\p{Ideographic}/u.test(before) && GLYPH_SELECTOR.test(run))
}

const BLACK_FLAG = '\u{1f3f4}'
const FLAG_TAGS = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}$/u
const EMOJI_SELECTOR = '\ufe0f'
const KEYCAP = '\u20e3'
const JOINING = /^[\ufe00-\ufe0f\u180b-\u180d\u180f]?[\u200c\u200d]?$/
const GLYPH_SELECTOR = /^[\u{e0100}-\u{e01ef}]$/u
