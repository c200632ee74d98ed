import { escapeLiteral } from '../scan.ts'

/**
 * A secret that is known by its own shape: a fixed start, then a number of letters of one alphabet. The starts and
 * lengths come from the vendors' documents and the published lists of secret scanners.
 */
export interface Shape {
  kind: string
  /** The literal texts that announce the secret; the search looks for these. */
  starts: readonly string[]
  /**
   * The source of a regular expression for the text after the start. Group 1 is the secret; without a group, the whole
   * match is the secret.
   */
  rest: string
  /** How many characters of the secret come before the announcing text. */
  back: number
  /** `rest` is the whole secret with the announcing text in it, so the pattern does not add that. */
  whole: boolean
  /** The start is so short that only a random-looking secret counts. */
  random: boolean
  /** The announcing text may follow a letter or digit. */
  anywhere: boolean
}

export const HEX = '[0-9a-f]'
export const ANYHEX = '[0-9A-Fa-f]'
export const ALNUM = '[A-Za-z0-9]'
export const LOWNUM = '[a-z0-9]'
export const URL64 = '[A-Za-z0-9_-]'
export const BASE58 = '[1-9A-HJ-NP-Za-km-z]'
/** Base64; `+` and `/` may be percent-encoded. */
export const BASE64 = '(?:[A-Za-z0-9+/]|%2[BF])'
/** Letters of a URL and `=`, which may be percent-encoded. */
export const EQUAL64 = '(?:[A-Za-z0-9_=-]|%3D)'
export const UUID = '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}'
/** The `=` signs at the end of base64, perhaps percent-encoded. */
export const PAD = '(?:=|%3D){0,3}'

interface Options {
  /**
   * The announcing text is inside the secret, after so many characters, and `rest` has both: `abc1Q~…` is announced by
   * `Q~` and has 4 before it.
   */
  before?: number
  random?: boolean
  anywhere?: boolean
}

/**
 * One row of a table. `starts` are literals separated by spaces, and `rest` follows them. If a fixed letter must follow
 * a part of variable length in `rest`, that part has at most 300 letters, because the search reads it again from each
 * start in a text.
 */
export function shape(kind: string, starts: string, rest: string, options: Options = {}): Shape {
  return {
    kind,
    starts: starts.split(' '),
    rest,
    back: options.before ?? 0,
    whole: options.before !== undefined,
    random: options.random ?? false,
    anywhere: options.anywhere ?? false,
  }
}

/** The sticky pattern of a shape, between patterns for the start and the end of a word. */
export function patternOf(shape: Shape, wordStart: string, wordEnd: string): RegExp {
  const head = shape.whole ? '' : `(?:${shape.starts.map(escapeLiteral).join('|')})`
  return new RegExp(`${shape.anywhere ? '' : wordStart}${head}${shape.rest}${wordEnd}`, 'y')
}
