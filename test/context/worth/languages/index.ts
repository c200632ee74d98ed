import { CHINESE } from './chinese.ts'
import { ENGLISH } from './english.ts'
import { GERMAN } from './german.ts'
import { JAPANESE } from './japanese.ts'
import type { Language } from './language.ts'

/** English comes first: the others are held against it. */
export const LANGUAGES: readonly Language[] = [ENGLISH, GERMAN, CHINESE, JAPANESE]
