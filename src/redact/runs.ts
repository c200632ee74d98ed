/**
 * Finds the end of the run of letters at an offset. It reads every letter of a text once, however often it is called
 * with rising offsets, because all offsets in a run share the run's end. Hostile texts put thousands of starts into one
 * long run.
 */
export class Runs {
  /** Number of letters read so far. The tests compare it with the length of the text. */
  steps = 0
  #from = 0
  #end = -1

  constructor(
    private readonly text: string,
    private readonly belongs: (code: number) => boolean,
  ) {}

  /** The offset after the last letter of the run at `offset`; `offset` itself if no letter of a run is there. */
  endAt(offset: number): number {
    if (offset >= this.#from && offset <= this.#end) return this.#end
    let end = offset
    while (end < this.text.length && this.belongs(this.text.charCodeAt(end))) end++
    this.steps += end - offset
    this.#from = offset
    this.#end = end
    return end
  }
}

/** Letters, digits, `-` and `_`: the alphabet of base64url. */
export function isUrlLetter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 45 ||
    code === 95
  )
}
