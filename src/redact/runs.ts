/**
 * Finds the end of the run of letters at a place. It reads every letter of a text once, however many places ask, because
 * all places of a run share its end. Hostile texts put thousands of starts into one long run.
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

  /** The offset after the last letter of the run at `at`; `at` itself if no letter of a run is there. */
  endAt(at: number): number {
    if (at >= this.#from && at <= this.#end) return this.#end
    let end = at
    while (end < this.text.length && this.belongs(this.text.charCodeAt(end))) end++
    this.steps += end - at
    this.#from = at
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
