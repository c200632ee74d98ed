/**
 * The scripts of `cortext completion`. Each script asks `cortext __complete` for the words that may come next. The
 * shells only show the title of a conversation. It is never part of a word, and no shell runs the answer.
 */
import bash from './cortext.bash?text'
import fish from './cortext.fish?text'
import zsh from './cortext.zsh?text'

export type { OptionRow, VerbRow, VerbTable, Words } from './complete.ts'

export const SCRIPTS = { bash, zsh, fish } as const
