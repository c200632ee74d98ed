import type { Command } from 'commander'

/** A command line, and what it does. */
export type Example = readonly [line: string, what: string]

/** Examples of the verbs that people begin with. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  init: [
    ['cortext init', 'set up this folder for the clients that are installed'],
    ['cortext init --shared --in claude', 'git tracks the conversations; only Claude Code is set up'],
  ],
  start: [['cortext start brainstorm API design', 'begin a conversation of this type']],
  resume: [
    ['cortext resume', 'choose one'],
    ['cortext resume rate limit --in gemini', 'the one about the rate limit, in Gemini CLI'],
    ['cortext resume --last --dry-run', 'say what would be done with the last one'],
  ],
  search: [
    ['cortext search "token bucket" redis', 'an exact phrase, and a word'],
    ['cortext search why did we drop redis --in claude', 'a question, in talk with Claude Code'],
  ],
  stop: [['cortext stop 001 --complete --summary "shipped in 2.1"', 'it is finished']],
  import: [
    ['cortext import claude --all', 'every session that Claude Code has of this folder'],
    ['cortext import gemini --file chat.json --type plan', 'one file, as a plan'],
  ],
  export: [
    ['cortext export 001 --output talk.md', 'all of it, to read'],
    ['cortext export 001 --format html --output talk.html', 'all of it, as a page for a browser'],
    ['cortext export 001 --for pr', 'what was asked, decided, dropped: for a pull request'],
    ['cortext export 001 --format atif --from 3 --to 12', 'a part of it, for other programs'],
  ],
}

/** Puts the examples below the options in `--help`. */
export function addExamples(program: Command): void {
  for (const command of program.commands) {
    const examples = EXAMPLES[command.name()]
    if (examples === undefined) continue
    const lines = examples.map(([line, what]) => `  ${line}\n      ${what}`)
    command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
  }
}
