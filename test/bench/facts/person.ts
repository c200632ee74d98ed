import type { Fact, Kind, Needle } from './fact.ts'
import { fields, list, string } from './fields.ts'
import type { RareWords } from './rare-words.ts'
import type { Call, Talk } from './talk.ts'

/** Facts in the words of the person, the newest last. */
export function factsOfPerson(talk: Talk, rare: RareWords): Fact[] {
  const typed = talk.said.filter(({ who }) => who === 'person').map(({ text }) => text)
  const asked = typed.map(rare.of).filter((needle) => needle !== undefined)
  const own = typed.map((text) => (text.length <= TYPED ? text : text.slice(0, TYPED).replace(/\S*$/, '')))
  return [
    ...asked.slice(0, 1).map((needle) => fact('first request', needle)),
    ...asked.slice(1).map((needle) => fact('later requests', needle)),
    ...typed.flatMap((text) => demands(text, rare)),
    ...talk.calls.flatMap((call) => answers(call, rare)),
    ...talk.calls.flatMap((call) => each('words of refusals', rare.orExact(refusal(call)))),
    ...talk.calls.flatMap((call) => plannedAnew(call, rare)),
    ...unique(own.flatMap(names)).map((name) => fact('names that were given', { exact: [name] })),
  ]
}

/** What comes behind this in a prompt was hardly typed by hand. */
const TYPED = 1500

function fact(kind: Kind, ...needles: Needle[]): Fact {
  return { kind, needles }
}

function each(kind: Kind, needle: Needle | undefined): Fact[] {
  return needle === undefined ? [] : [fact(kind, needle)]
}

/** Of what is said twice the later counts. */
function unique(names: string[]): string[] {
  return [...new Set(names.toReversed())].toReversed()
}

/**
 * Sentences in which a person says what must be and must not be. In longer prompts, which are mostly pasted, the same
 * words tell how things are ("is never asserted"); the weaker ones do so in all but the shortest.
 */
function demands(text: string, rare: RareWords): Fact[] {
  if (text.length > LONGEST_DEMAND) return []
  const cues = text.length > LONGEST_WEAK_DEMAND ? [STRONG] : [STRONG, WEAK]
  return text
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u)
    .filter((sentence) => !/[?？]\s*$/u.test(sentence) && cues.some((cue) => cue.test(sentence)))
    .flatMap((sentence) => each('constraints', rare.of(sentence)))
}

const LONGEST_DEMAND = 250
const LONGEST_WEAK_DEMAND = 120

const STRONG = cue([
  "(?:do not|don['’]t)(?! (?:think|know|recall|see|understand|remember|mind|care))|never(?! mind)|always",
  "must(?:n['’]t)?|no need|make sure|should(?:n['’]t| not)",
  'niemals|immer|muss|müssen|darf|keinesfalls|nie',
  "jamais|toujours|doit|doivent|(?:ne|n['’]) ?\\p{L}+ (?:pas|plus|rien)",
  'nunca|siempre|debe|deben|no (?:uses?|hagas?|toques?|cambies?|debes?)',
])
const WEAK = cue([
  'only|instead|without|rather than',
  'nicht|nur|stattdessen|keine?n?|ohne|lieber',
  'seulement|uniquement|plutôt|au lieu|sans',
  'solo|sólo|solamente|en vez|en lugar|sin',
])

function cue(words: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}])(?:${words.join('|')})(?![\\p{L}])`, 'iu')
}

/** Each answer to a question of the agent, with the question. */
function answers({ details }: Call, rare: RareWords): Fact[] {
  return Object.entries(fields(fields(details).answers)).flatMap(([question, given]) => {
    const answer = (Array.isArray(given) ? list(given).map(string).join(', ') : string(given)).trim()
    if (answer === '') return []
    const about = rare.of(question)
    const said = answer.length > LABEL ? rare.of(answer) : { exact: [answer] }
    if (said === undefined) return []
    return [
      about === undefined || said.exact === undefined
        ? fact('answers to questions', said)
        : fact('answers to questions', { ...about, ...said }),
    ]
  })
}

/** The longest answer that is looked for as it is. */
const LABEL = 80

function refusal({ result }: Call): string {
  const said =
    /^(?:Error: )?The user doesn['’]t want[\s\S]*?the user said:\s*\n([\s\S]*)$/i.exec(result)?.[1] ?? ''
  return said.startsWith('The user wants to clarify these questions') ? '' : said
}

/** The lines that the person put into a plan. */
function plannedAnew({ name, input, result }: Call, rare: RareWords): Fact[] {
  const edited = /## Approved Plan \(edited by user\):\n([\s\S]*)$/.exec(result)?.[1]
  if (name !== 'ExitPlanMode' || edited === undefined) return []
  const before = new Set(string(input.plan).split('\n').map(trimmed))
  return edited
    .split('\n')
    .map(trimmed)
    .filter((line) => line !== '' && !before.has(line))
    .flatMap((line) => each('edits of plans', rare.orExact(line)))
}

function trimmed(text: string): string {
  return text.trim()
}

/** Addresses, paths, identifiers and numbers with units: what no other word stands for. */
function names(text: string): string[] {
  return [...text.matchAll(NAME)]
    .map(([name]) => name.replace(/[.,:;]+$/, ''))
    .filter((name) => !WORDS.test(name))
}

const NAME = new RegExp(
  [
    'https?://[^\\s<>()"\'`]+',
    // Paths and files: at least one slash between words, or an extension.
    '(?:~|\\.{1,2})?(?:/?[\\w@.-]+/)+[\\w@.-]*\\w',
    '(?<![\\w/.@-])[\\w-]+\\.[A-Za-z]\\w{0,5}(?![\\w/])',
    '(?<![\\w/])--?[a-z][a-z-]{2,}(?![\\w])',
    '\\b[A-Za-z]\\w*_\\w+\\b',
    '\\b[a-z]+[A-Z]\\w+\\b|\\b[A-Z][a-z]+[A-Z]\\w+\\b',
    '\\b\\w+-\\w+-[\\w-]+\\b',
    '(?<![\\w.-])\\d+(?:[.,]\\d+)?\\s?(?:%|[kKMG]i?[bB]|ms|sec|seconds?|min|minutes?|hours?|days?|px|tokens?|lines?|Sekunden|Minuten|Tage|jours?|heures?)(?![\\w])',
  ].join('|'),
  'gu',
)
/** A slash or a point between plain words makes no name: and/or, e.g, i.e. */
const WORDS = /^[A-Za-z]{1,12}\/[A-Za-z]{1,12}$|^(?:e\.g|i\.e|etc\.\w*|GitHub|GitLab|JavaScript|TypeScript)$/
