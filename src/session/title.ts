import { cutAtWord, oneLine } from '../text/line.ts'
import { isPrompt, textOf } from './live-path.ts'
import type { Message } from './schema.ts'

/** The subject of a request in plain language often stands behind fifty characters (docs/decisions.md). */
const TITLE_LENGTH = 70
/** A request that ends here is not cut. */
const WHOLE_LENGTH = 80

/**
 * Makes a title from the person's first request that tells what it is about. The title is one line in the person's own
 * words, cut between words near 70 characters. It leaves out "can you" and the like, and the name of a slash
 * command. A mere "hi" or "fix" gives no title. A mere link or "do both please" gives a title only if no other
 * request does. Undefined when no message gives a title.
 */
export function titleFrom(messages: readonly Message[]): string | undefined {
  const request = firstRequest(messages, firstParagraph)
  if (request === undefined) return undefined
  // A link at the beginning stays whole, because such a request is little more than its link. Other links keep only
  // their end.
  const short = request
    .slice(0, 20 * TITLE_LENGTH)
    .replace(LINK, (link, at) => (at < 2 ? link : endOfLink(link)))
  const plain = short.replace(/\*\*/g, '')
  if (plain.length <= WHOLE_LENGTH) return plain
  const named = plain.replace(PATH_MENTIONED, '$1').replace(ASIDE, '').replace(HOST, '')
  return named.length <= WHOLE_LENGTH ? named : cutAtWord(named, TITLE_LENGTH).replace(BEGUN_SENTENCE, '…')
}

/** What stands in brackets within a sentence. */
const ASIDE = / \([^()]{1,60}\)(?=[\s,.;:])/g
/** The beginning of a link to a repository within a sentence. */
const HOST = /(?<=\s)https?:\/\/[\w.-]+\/(?=[\w.-]+\/[\w.-]+(?:\s|$))/g
/** One word of a sentence that the end of the title cuts off. */
const BEGUN_SENTENCE = /(?<=^.{35,})[.!?] \S+…$/

/** A file that is mentioned with its folders: `@src/reader/lines.ts`. */
const PATH_MENTIONED = /(?<=^|\s)@(?:[\w.-]+\/)+([\w.-]*\w)(?=[\s,.:;)]|$)/g

/** A link, without the punctuation after it. */
const LINK = /\bhttps?:\/\/[^\s/]+\/[^\s)>\]"'`]*[^\s)>\]"'`.,;:!?]/g

/** Shortens a link to its end, which tells most: `https://github.com/ann/app/pull/66#issue-1` → `app/pull/66`. */
function endOfLink(link: string): string {
  const parts = link
    .replace(/^https?:\/\/|[?#].*$/g, '')
    .split('/')
    .filter(Boolean)
  return parts.length > 3 ? parts.slice(-3).join('/') : link
}

/** Returns the request from which a title is made, before it is cut. `part` takes from a prompt what may become one. */
export function firstRequest(
  messages: readonly Message[],
  part: (request: string) => string = (request) => request,
): string | undefined {
  let [other, weak]: (string | undefined)[] = []
  let link = ''
  for (const message of messages) {
    if (!isPrompt(message)) continue
    const prompt = textOf(message).slice(0, MAX_READ)
    const request = oneLine(part(requestIn(prompt)))
    const meant = linkMeant(request)
    const rest = request.replace(LINK_AT_BEGIN, '')
    const telling = withoutPoliteness(meant === '' ? rest : rest.replace(LINK_AT_END, ''))
    if (tells(telling)) {
      const about = meant || linkAlone(other)
      if (!isWeak(prompt, telling) && !isThin(telling)) return `${about || link}${telling}`
      weak ??= `${about}${telling}`
      if (isThin(telling)) link ||= about
    } else if (!SAYS_NOTHING.test(request)) other ??= telling === '' ? request : telling
  }
  return weak ?? other
}

/**
 * Returns the first paragraph of a prompt if it would do as a title. What follows is often pasted.
 */
function firstParagraph(request: string): string {
  const end = request.search(/\n\s*\n/)
  const first = end === -1 ? '' : request.slice(0, end).trim()
  // `this` is what follows, and its heading tells more than how it is to be done.
  if (/\b(?:this|these|below|following)\b/i.test(first)) {
    const rest = request.slice(end).trim()
    const isHeaded =
      first.length <= WHOLE_LENGTH && (/^#{1,3} /.test(rest) || PART_NAME.test(rest.split('\n', 1)[0]!))
    return isHeaded ? headOf(rest) : request
  }
  return first.length >= 20 &&
    first.length <= WHOLE_LENGTH &&
    !first.endsWith(':') &&
    tells(oneLine(first).replace(LINK_AT_BEGIN, ''))
    ? first
    : request
}

/**
 * What a request is about if it begins with the link to a numbered thing, such as an issue, or says `this` beside a link:
 * `issues/7: ` for `https://github.com/a/b/issues/7 find the cause`.
 */
function linkMeant(request: string): string {
  const { 0: link = '', index } = ANY_LINK.exec(request) ?? {}
  if (link === '' || link === request) return ''
  return (index! < 2 && NUMBERED.test(link)) || /\bthis\b/i.test(request.replace(link, ''))
    ? linkEnd(link)
    : ''
}

/** The same for a prompt that is nothing but such a link: it is what the next prompt is about. */
function linkAlone(request: string | undefined): string {
  const [link = ''] = ANY_LINK.exec(request ?? '') ?? []
  return link !== '' && link === request && NUMBERED.test(link) ? linkEnd(link) : ''
}

const NUMBERED = /\/\d+\b/

/** The end of a link that names a thing, such as `issues/7` or `browse/PEAR-12`; '' for any other link. */
function linkEnd(link: string): string {
  const names = link
    .replace(/^https?:\/\/[^/]*|[?#].*$/g, '')
    .split('/')
    .filter(Boolean)
  const end = names.slice(-2).join('/')
  return /^[\w./-]*\d[\w.-]*$/.test(end) ? `${end}: ` : ''
}

const ANY_LINK = /https?:\/\/[^\s/<>]+\/[^\s<>)\]"'`]*/

/**
 * Whether a request says less about a conversation than a later one. A program made the prompt from a template without any
 * word of the person, so that all sessions with this template begin with it; or it asks for what is done between two steps
 * of the work; or it is the output of a program. `request`: as `firstRequest` gives it.
 */
export function isWeak(prompt: string, request: string): boolean {
  const [block, typed = ''] = USER_INPUT.exec(prompt) ?? []
  return (
    (block !== undefined && NO_INPUT.test(typed)) ||
    COMMAND_HEADING.test(prompt) ||
    EDITOR_HEADING.test(prompt) ||
    BOOKKEEPING.test(request) ||
    OUTPUT.test(request) ||
    DRAWN.test(request.slice(0, 2 * WHOLE_LENGTH))
  )
}

/** Whether a request names no subject of its own: `investigate this issue and find the root cause`. */
function isThin(request: string): boolean {
  return !tells(request.replace(WORKS_ON_ISSUE, ' '))
}

const WORKS_ON_ISSUE =
  /\b(?:investigat\w+|analy[sz]e|analysis|research|issues?|bugs?|problems?|tickets?|fix(?:e[ds])?|resolve[ds]?|solve[ds]?|solutions?|implement|address|handle|find|finding|root|causes?|best|optimal|paths?|ways?|achieve|how|be|could|should|possible|possibly|see|into|at|by|not|new|outstanding|anything|something|delete|merged?|rebase|remote|local|branches|origin|upstream)\b/gi

/** The frame that a program draws around its output in a terminal, in a paste. */
const DRAWN = /[\u2500-\u257f]\s*[\u2500-\u257f]/

/** What is asked for between two steps of the work: `commit the changes then update the README`. */
const BOOKKEEPING =
  /^(?:commit|push|merge|stage|pull (?:the )?latest|(?:switch|go|check ?out)(?: back)?(?: to)? (?:the )?(?:latest )?(?:main|master|dev)\b|(?:delete|remove|clean up|prune) (?:the )?(?:\w+ )?branch(?:es)?\b)/i

/** What programs print: the results of tests, errors, a shell's prompt. */
const OUTPUT =
  /^(?:test \S+ \.\.\. |running \d+ tests?\b|(?:error|warning)(?:\[\w+\])?: |traceback \(most|npm err|thread '|\S+@\S+[:~]\S*[$%#] )/i

/** `# /deploy — Deploy a service` */
const COMMAND_HEADING = /^#{1,3} \/[\w.:-]+(?: *[—–:-]+ *|(?=\s))/

/** What an editor wrote for Codex CLI, without a word of the person below it. */
const EDITOR_HEADING = /^\s*# (?:Context from my IDE setup|Files mentioned by the user):/

/** How much of a prompt is read for a title. A paste of a hundred megabytes would be copied several times. */
const MAX_READ = 100_000

/**
 * Whether a request, as one line, tells what it is about. `commit and push`, `!git switch main` and
 * JSON do not.
 */
export function tells(request: string): boolean {
  if (SAYS_NOTHING.test(request) || /^(?:!|\{\s*")/.test(request)) return false
  for (const [word] of request.replace(MENTION, ' ').matchAll(/[\p{L}\p{N}']+/gu))
    if (!FILLER.has(word.toLowerCase()) && !/^\d+$/.test(word)) return true
  return false
}

/** Mentions of files and folders, `@src/a.ts`, and names of documents: a mere `**GUIDE.md** continue` tells nothing. */
const MENTION = /(?<=^|\s)(?:@\S*|[\w*./\\-]+\.(?:mdx?|txt|pdf|docx?)\b\**(?=[\s,.:;]|$))/gi

/** Words with which people greet. */
const GREETING =
  'hi|hey|hello|hallo|hola|ol[aá]|ciao|salut|bonjour|guten (?:tag|morgen|abend)|good (?:morning|afternoon|evening)|xin ch[aà]o|привет|здравствуйте|добрый (?:день|вечер)|你好|您好|こんにちは|안녕하세요'
/** A wish for the language of the answers. */
const LANGUAGE = String.raw`(?:(?:só|only|please|por favor) )*(?:fale|responda|escreva|speak|talk|answer|reply|respond|write|parle|réponds|sprich|antworte|habla|responde) (?:(?:só|only) )?(?:em|in|en|auf) \p{L}+`

/** Up to seven plain characters, such as a "fix" or an "ok", a greeting, or a folder say nothing. */
const SAYS_NOTHING = new RegExp(
  String.raw`^(?:[\w\s.,!?'@/\\]{0,7}|[^\p{L}\p{N}]*|(?:${GREETING})[\s.,!]*|[@/]\S*[/\\]|${LANGUAGE}[\s.,!]*)$`,
  'iu',
)

/** Words that only make sense with what was said before. */
const FILLER = new Set(
  `a about again ahead all alright am amend any and another approve approved are as awesome back begin both branch but carry case check checkout cheers
  change changes clear commit commits committed compact continue cool correct do does doing done everything exactly exit
  file files fine first for four from go goes going good get gets getting got great had has have hello help here hey hi hmm i if in is it its just keep latest left let's lets lgtm like
  looks main make master me more my next nice no nope now of off ok okay on one ones only or option options other our out perfect pick please proceed pull
  push pushed quit ready really resume retry right same second seem seems so sounds start stop sure switch tackle take ten thank thanks that that's
  the them then there these they third this three to too true try two u up us wait want was we well what where work working works would yeah
  yep yes you your yup
  да нет хорошо давай дальше продолжай sim não nao claro continua continue oui non ouais sí si vale sigue ja nein weiter bitte gerne genau
  はい お願いします 続けて 好 好的 继续 可以 是的 네 계속 tiếp tục ừ`.split(/\s+/),
)

/** A link at the beginning, with what joins it to the request: `https://… - fix it`. */
const LINK_AT_BEGIN = /^(?:<?https?:\/\/\S+[\s:,-]*(?:and\s+(?=<?https?:))?)+/

/** A link at the end, with what joins it to the request: `read this story: https://…`. */
const LINK_AT_END = /[\s:,-]{0,4}https?:\/\/\S+$/

/**
 * Returns what the person asks for in a prompt, without marks of pictures and pasted texts:
 * * of a slash command, the arguments
 * * of a plan to implement, the title
 * * of an expanded prompt that repeats the person's words under `User Input` (Codex CLI 0.77.0), these words
 */
export function requestIn(prompt: string): string {
  const typed = withoutCommand(withoutFrame(prompt))
    .replace(/\[(?:Image|Pasted text)[^\]\n]{0,200}(?:\]|$)/gim, '')
    .trim()
  const plan = /^\W*(?:please )?implement (?:the following|this) plan:?\s*/i.exec(typed)
  const text = plan === null ? typed : typed.slice(plan[0].length)
  // A text that begins with a heading is a document, and the heading says what it is about.
  if (COMMAND_HEADING.test(text))
    return [headOf(text.replace(COMMAND_HEADING, '')), argumentIn(text)].join('')
  return plan !== null || /^#{1,3} /.test(text) ? headOf(text) : text
}

/**
 * Returns the person's words in a prompt that a program has put together. An expanded prompt repeats what the person
 * typed in a block under `## User Input`; if the person typed nothing, the rest of the prompt tells most. Other frames
 * are blocks of context in tags and the names of fields (`[[ ## question ## ]]`) at the beginning.
 */
export function withoutFrame(prompt: string): string {
  const [block, typed = ''] = USER_INPUT.exec(prompt) ?? []
  if (block !== undefined && !NO_INPUT.test(typed)) return typed
  const rest = block === undefined ? prompt : prompt.slice(block.length).replace(CONSIDER, '')
  const own = rest.replace(SPEAKER, '').replace(CONTEXT_BEFORE, '')
  return own.trim() === '' ? rest.replace(TAG, ' ') : withoutPaste(own)
}

/**
 * Returns what the person typed above a frame that a program drew, behind JSON, or in the last line, below what programs
 * printed.
 */
function withoutPaste(text: string): string {
  const drawn = text.search(DRAWN)
  if (drawn > MIN_ABOVE_PASTE) return text.slice(0, drawn)
  if (IS_JSON.test(text.slice(0, MAX_LINE))) {
    const end = Math.max(...['"', '}', ']'].map((sign) => text.lastIndexOf(sign)))
    const behind = text.slice(end + 1).replace(/^[\s,`]+/, '')
    if (behind.length > MIN_BEHIND_JSON && /^\p{L}/u.test(behind)) return behind
  }
  const above = text.trimEnd().split('\n')
  const last = above.pop()!
  const printed = above.filter((line) => PRINTED.test(line.slice(0, MAX_LINE))).length
  // Where the person typed something above, it tells more.
  const isPaste = printed > 1 && printed >= above.length / 2 && PRINTED.test(above[0]!.slice(0, MAX_LINE))
  return isPaste && !PRINTED.test(last) && IN_WORDS.test(last) ? last : text
}

const MIN_ABOVE_PASTE = 20
/** The beginning of a piece of JSON, which has a key. */
const IS_JSON = /^\s*[{}[\]"][^:]{0,200}"\s*:\s*["{[\d]/
const MIN_BEHIND_JSON = 10
/** How much is read of a line of a paste. */
const MAX_LINE = 300
/** A line that a program printed: JSON, a time of day, a stack frame, a prompt, `[name] …`, `error: …`. */
const PRINTED =
  /\{"|^\s*(?:Running|Compiling|Finished) [`\w]|\b\d\d:\d\d:\d\d\b|^\s*(?:at \S+ ?\(|File "|[$%#] |\[[^\]]{1,40}\]|\S+! |\S+@\S+[:~ ]|(?:\w+ )?(?:error|warning)(?:\[\w+\])?:|test \S+ \.\.\. |thread '|npm err)/i
const IN_WORDS = /^\s*(?:\p{L}[\p{L}'’-]*,? ){4}/u

const USER_INPUT = /^\s*#+ User Input\s*\n+```\w*\n([\s\S]*?)\n?```/
const NO_INPUT = /^\s*(?:\$ARGUMENTS\s*)?$/
const CONSIDER = /^\s*You \*\*MUST\*\* consider the user input[^\n]*\n+(?:#+ (?:Outline|Goal)\s*\n+)?/
const TAG = /<\/?[a-z][\w-]*(?: [^>\n]*)?>/g
/** The line that names the speaker in a talk that was copied from a screen. */
const SPEAKER = /^\s*(?:user|human|you)\s*\n(?=\S)/i
const CONTEXT_BEFORE = /^(?:\s*(?:<([a-z][\w-]*)(?: [^>\n]*)?>[\s\S]*?<\/\1>|\[\[ ## \w+ ## \]\]))+\s*/

/**
 * Returns the first line that is more than a name such as `Plan` or `Overview`, without `Plan:` at its front:
 * `# Plan: Simplify X` → `Simplify X`.
 */
function headOf(text: string): string {
  const lines = text.split('\n').map((line) => oneLine(line.replace(/^[\s#>*-]+|\*\*/g, '')))
  const heads = lines.map((line) => line.replace(DOCUMENT_NAME, '').replace(PART_NAME, '')).filter(Boolean)
  return heads[0] ?? oneLine(text)
}

/** What an expanded command is about, if its last line says so: `: a.yaml` for `SPEC: specs/a.yaml`. */
function argumentIn(text: string): string {
  const [, value = ''] = /\n[A-Z][\w ]{1,20}: *(\S{1,120})\s*$/.exec(text.slice(-200)) ?? []
  return value === '' ? '' : `: ${value.split('/').at(-1)}`
}

const DOCUMENT_NAME =
  /^(?:implementation |technical |design |project |refactor\w* )?(?:plan|proposal|spec(?:ification)?|task|goal|design doc)\s*(?:[:–—-]+\s*(?:to )?|$)/i
const PART_NAME =
  /^(?:context|overview|background|summary|introduction|problem(?: statement)?|motivation|objective)\s*:?$/i

/** Removes the words that only make a request polite, and begins the rest with a capital letter. */
function withoutPoliteness(request: string): string {
  let rest = request
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(GREETS_BEFORE, '').replace(POLITE, '').replace(OPENING, '').replace(ROLE, '')
  }
  if (rest === request) return request
  rest = rest.replace(/,? (?:please|thanks|thank you)\s*[.!?]*$|\?$/i, '').trim()
  return /^\p{Ll}[\p{L}'-]*(?=$|[\s,:])/u.test(rest) ? rest.charAt(0).toUpperCase() + rest.slice(1) : rest
}

/** What the agent shall be, before what it shall do: `You are a reviewer. Your job is to …`. */
const ROLE =
  /^(?:you are (?:an? |the |now |my )[^.!?]{1,200}[.!]\s+(?=\S)(?!\w+:)|your (?:task|job|goal|role|mission) is to\s+)/i

/** A greeting at the beginning, with the one who is greeted: `hi Claude, `. */
const GREETS_BEFORE = new RegExp(String.raw`^(?:${GREETING})(?: \p{L}+)?\s*[,!.]+\s*`, 'iu')

/** A text that is nothing but a greeting. */
export const GREETS = new RegExp(`^(?:${GREETING})$`, 'iu')

const POLITE =
  /^(?:(?:(?:can|could|would|will) (?:you|we|u)(?:,(?:[^,.;?]{1,60},){1,3})?|please|pls|let['’]?s|let us|i(?:['’]d| would) (?:like|love) (?:you |us )?to|i (?:want|need) (?:you |us )?to|(?:ok(?:ay)?|so|hi|hey|hello|great|thanks|well|yes|now|right|cool|perfect|alright)(?=[ ,.!])[ ,.!–-]*)(?:\s+(?:please|also|just|maybe|now|quickly))*)(?:\s+|$)/i

/** What comes before the subject: where one is, what one tries, what an issue does. */
const OPENING = new RegExp(
  `^(?:${[
    'in this (?:directory|folder|repo|repository|project|codebase|workspace),? ',
    'as you can see(?: here| below)?[\\s.,]+',
    'help me[\\s.,]+(?:to )?(?=\\S)',
    '(?:create|make|set up|use) (?:an? )?(?:new )?(?:git )?(?:worktree|branch)\\b[^.;\\n]{0,80}?,? (?:and )?then ',
    'read (?:@\\S+ (?:and )?){1,5}in full[\\s.,;:]+(?:and )?(?:then )?(?=\\S)',
    'твоя задача(?:\\s*[:—–-])?\\s+',
    "i(?:['’]?m| am) (?:currently )?(?:trying|looking) to ",
    'figure out (?=if |whether |how |why |what )',
    "(?:if|whether) there(?:['’]?s| is) (?:a|any|some)(?: (?:kind|sort) of)? (?:way|method)(?: (?:i|we|you) (?:can|could) use)? (?:to|of|for) ",
    "i have (?:a|some|many|several|these) [\\w ]{1,40}? that i(?: want|['’]d like| would like| need) to ",
    'this (?:issue|bug|ticket|pr|pull request) (?:reports|says|describes|states|mentions|is about)(?: that)?(?: the)? ',
  ].join('|')})`,
  'i',
)

/**
 * Removes the slash commands at the beginning: `/workspace.brainstorm topic`, `$workspace-brainstorm topic` and
 * `/review /simplify topic` become `topic`. A path is no command: white space or the end of the text must follow a
 * command.
 */
export function withoutCommand(text: string): string {
  return text.replace(/^(?:\s*(?:\/[\w.:-]+|\$workspace[-:][\w-]+)(?=\s|$))+/, '')
}
