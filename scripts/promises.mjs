// Shows which tests hold which promise: each sentence of the pages below, with the tests that are tagged with words of
// it: `// promise: the words` above a test. test/promises.test.ts fails where a sentence has no test, or a tag no
// sentence. Exits 1 then, too.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import fg from 'fast-glob'

/** Each sentence of these pages has a test, or promises nothing. */
export const PAGES = [
  'README.md',
  'SECURITY.md',
  'docs/agent-loops.md',
  'docs/clients/README.md',
  'docs/doctor.md',
  'docs/git.md',
  'docs/import.md',
  'docs/lists-and-search.md',
  'docs/long-conversations.md',
  'docs/looking-up.md',
  'docs/on-disk.md',
  'docs/resume.md',
  'docs/settings.md',
  'docs/sync.md',
  'docs/verbs.md',
]

/** Words of sentences that promise nothing that this program could break: links, advice, and what others do. */
export const NOTHING = [
  'What that means',
  '**State of things.**',
  'In your client:',
  'Four verbs in',
  'All verbs',
  '**Treat them as',
  'More about the',
  'More about git',
  'More about sync',
  'That is a',
  'On resume, the',
  'What cortext relies',
  'know what a',
  'go on on another machine',
  'Sync when you',
  'A service may keep what',
  'Clone the oldest file',
  'Conversations are in plain text',
  'find a conversation,',
  'import sessions from',
  'know what is',
  'let an agent',
  'know which conversation',
  'share a conversation',
  'keep a long',
  'keep the talk',
  'change a prompt',
  'All pages are',
  'To work on',
  'MIT license',
  'In a monorepo',
  'There are two',
  'What is recorded of each',
  'names words that',
  'Leave it if',
  'Attachments of forks',
  'What is read of them',
  'How it ranks,',
  'So 200 MB',
  'The transcripts of',
  'Whether you are',
  'All keys and',
  'The session has',
  'In a long',
  'Put one of',
  'How each client',
  '**Windows** has no',
  'Nothing is refused',
  'Windows, which looks',
  'Please use "Report',
  'Say which version,',
  'Until 1.0 only',
  'Conversations, in plain',
  'Treat `.session/` like',
  'What it misses',
  'Look before you',
  'A clone cannot',
  'A clone can:',
  '(Git itself waits',
  'give your agent',
  'Read them before',
  'name other files',
  'keep your personal',
  'be changed by',
  'Such a program',
  '`safe.bareRepository` needs git',
  'An archive that',
  'The clients that',
  'That does not',
  "Somebody else's words",
  'A sandbox of',
  'The client sends',
  'What `cortext view`',
  'In OpenCode, where',
]

/** A check that CI runs apart from vitest may hold a promise too. */
const CHECKS = 'scripts/check-*.mjs'

/** Everything that promises and is promised, by the pages and tests in `root`. */
export function promisesIn(root) {
  const read = (path) => readFileSync(`${root}/${path}`, 'utf8')
  const files = fg.sync(['test/**/*.test.ts', CHECKS], { cwd: root, ignore: ['**/node_modules'] }).sort()
  return match(
    PAGES.flatMap((page) => sentencesOf(read(page)).map((sentence) => ({ page, sentence }))),
    files.flatMap((file) => tagsOf(read(file), file.startsWith('scripts/')).map((tag) => ({ file, ...tag }))),
    NOTHING,
  )
}

/**
 * `held` contains each sentence with its tags, or `nothing`. `faults` contains what is wrong, a line each: a sentence
 * without a tag, a tag without a sentence, one that fits several sentences of a page, and one above no test that runs.
 */
export function match(sentences, tags, nothing) {
  const fits = (words) => sentences.filter(({ sentence }) => sentence.includes(words))
  const held = sentences.map(({ page, sentence }) => ({
    page,
    sentence,
    nothing: nothing.some((words) => sentence.includes(words)),
    tags: tags.filter(({ words }) => sentence.includes(words)),
  }))
  const faults = [
    ...held
      .filter((one) => one.tags.length === 0 && !one.nothing)
      .map(({ page, sentence }) => `${page}: no test has a tag with words of: ${sentence}`),
    ...held
      .filter((one) => one.tags.length > 0 && one.nothing)
      .map(({ page, sentence }) => `${page}: has a test, and is listed as promising nothing: ${sentence}`),
    ...[...tags, ...nothing.map((words) => ({ file: 'scripts/promises.mjs', words, title: words }))].flatMap(
      ({ file, words, title }) => {
        const pages = fits(words).map(({ page }) => page)
        if (title === undefined) return [`${file}: above no test that runs: ${words}`]
        if (pages.length === 0) return [`${file}: no page says so any more: ${words}`]
        if (new Set(pages).size < pages.length) return [`${file}: fits several sentences of a page: ${words}`]
        return []
      },
    ),
  ]
  return { held, faults }
}

/** Sentences, items and cells of a page, without code, headings and the heads of tables. */
export function sentencesOf(text) {
  return text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/^\|.*\n(?=\|[\s|:-]*$)/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#') && !/^[|\s:-]*$/.test(line))
    .flatMap((line) => line.trim().split(/(?<=[.!?])\s+(?=[A-Z`*"([])/))
}

/**
 * The tags in a file of tests, each with the title of the test or group below it, which is undefined for one that is
 * skipped. A check apart from vitest is its own test.
 */
export function tagsOf(text, isCheck = false) {
  const test =
    /^(?: *for .*\n)? *(test|it|describe|inLongRun)(?!\.(?:skip\b|todo))(?:\.\w+)*(?:\((?=\s*['"`])|[\s\S]*?\)\()\s*(['"`])([\s\S]*?)\2[,)]/
  return [...text.matchAll(/^ *\/\/ promise: (.+)\n/gm)].map((found) => {
    const below = text.slice(found.index + found[0].length).replace(/^(?: *\/\/.*\n)*/, '')
    const [, kind, , title] = isCheck ? ['', 'check', '', 'the whole check'] : (test.exec(below) ?? [])
    return { words: found[1].trim(), kind, title }
  })
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { held, faults } = promisesIn('.')
  let at = ''
  for (const { page, sentence, tags, nothing } of held) {
    if (nothing) continue
    if (page !== at) console.log(`\n## ${page}`)
    at = page
    console.log(`\n${sentence}`)
    for (const { file, title } of tags) console.log(`    ${file}: ${title}`)
  }
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
