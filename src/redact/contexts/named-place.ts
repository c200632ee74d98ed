import type { Expectation } from '../names.ts'
import type { Quotes } from './values.ts'

/** Where a name that announces a secret is. */
export interface NamedPlace {
  text: string
  /** The offsets of the name. */
  start: number
  end: number
  name: string
  expected: Expectation
  quotes: Quotes
  /** The name is a label of another language. */
  isLabel?: boolean
}
