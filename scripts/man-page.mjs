// Makes the man page from the table of verbs. `npm run man` writes it, and a test fails when it is out of date.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { verbTable } from './verb-table.mjs'

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('../man/cortext.1', import.meta.url), manPage(await verbTable()))

/** The page in the macros of man(7). */
export function manPage({ description, options, verbs }) {
  const shown = verbs.filter(({ hidden }) => !hidden)
  return [
    '.\\" Made by npm run man from the table of verbs in src/cli/verbs.ts.',
    '.TH CORTEXT 1 "" "cortext" "User Commands"',
    '.SH NAME',
    'cortext \\- conversations with AI command\\-line clients, kept in your workspace',
    '.SH SYNOPSIS',
    '.B cortext',
    '.RI [ verb ]',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    text(description),
    'Without a verb it lets you choose a conversation to go on with.',
    '.SH OPTIONS',
    ...options.flatMap(option),
    ...option({ flags: ['-v', '--version'], value: '', description: 'print the version' }),
    ...option({ flags: ['-h', '--help'], value: '', description: 'show help; also of a verb' }),
    '.SH VERBS',
    ...shown.flatMap((verb) => verbSection(verb)),
    '.SH EXIT STATUS',
    '0 when it did what was asked, 1 when it could not, 2 for wrong usage, 70 for a bug, 130 for a cancellation.',
    '.SH SEE ALSO',
    'README.md and docs/ of the package.',
    '',
  ].join('\n')
}

function verbSection({ name, usage, description, options, examples, verbs }, above = '') {
  return [
    `.SS "${text([`cortext ${above}${name}`, usage].filter(Boolean).join(' '))}"`,
    text(description.endsWith('.') ? description : `${description}.`),
    ...options.flatMap(option),
    ...(examples.length === 0 ? [] : ['.PP', 'Examples:']),
    ...examples.flatMap(([line, what]) => ['.TP', `.B "${text(line)}"`, text(what)]),
    ...verbs.flatMap((verb) => verbSection(verb, `${name} `)),
  ]
}

function option({ flags, value, description }) {
  const head = [flags.join(', '), value].filter(Boolean).join(' ')
  return ['.TP', `.B "${text(head)}"`, text(description) || '\\&']
}

/** Escapes a text so that groff reads it only as words, on a line of its own or in quotes. */
function text(words) {
  const plain = words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq')
  return /^[.']/.test(plain) ? `\\&${plain}` : plain
}
