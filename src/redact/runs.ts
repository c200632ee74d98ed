/**
 * Tells where the run of letters around a place ends, and reads every letter of a text once however often it is asked:
 * all places of one run have one end. Hostile texts put thousands of starts into one long run.
 */
export class Runs {
  /** How many letters were read. The tests hold it against the length of the text. */
  steps = 0
  #from = 0
  #end = -1

  constructor(
    private readonly text: string,
    private readonly belongs: (code: number) => boolean,
  ) {}

  /** The offset behind the last letter of the run that `at` stands in; `at` itself when no letter of a run is there. */
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
