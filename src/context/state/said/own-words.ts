import { isPrompt, textOf } from '../../../session/live-path.ts'
import type { Message } from '../../../session/schema.ts'
import { isShortRequest } from '../../../session/short-request.ts'
import { firstRequest, isWeak, tells, withoutFrame } from '../../../session/title.ts'
import { oneLine } from '../../../text/line.ts'

/**
 * Returns the words of a prompt as the person typed them, in one line: without what a program put around them, without a
 * command of ours before them, and without quoted lines, such as the agent's question above an answer. If nothing is left,
 * returns the whole text.
 */
export function ownWords(prompt: string): string {
  const typed = withoutFrame(prompt.slice(0, MAX_READ)).replace(OUR_COMMAND, '')
  const own = typed
    .replace(/^(?:>.*(?:\n|$)|\s*\n)+/, '')
    .replace(/(?:\n>.*)+\s*$/, '')
    .replace(/(?:\n>.*)+\n/g, ' … ')
  return oneLine(own) || oneLine(prompt.slice(0, MAX_READ))
}

/** Our own commands are said beside the summary; those of others belong to the request: `/review the last commit`. */
const OUR_COMMAND = /^\s*(?:\/workspace[\w.:-]*|\$workspace[-:][\w-]+)(?=\s|$)/

/** How much of a prompt is read: it may be a paste of a hundred megabytes. */
const MAX_READ = 100_000

/** A request in the person's own words. */
export interface Request {
  message: Message
  words: string
}

/**
 * Returns the first prompt that tells what it is about, if possible no weak one (see `isWeak`), else the first that is one
 * word or one command, else one of two words that is no small talk; undefined when there is none.
 */
export function tellingRequest(said: readonly Message[]): Request | undefined {
  let message: Message | undefined
  for (const one of said) {
    if (!tellsAlone(one)) continue
    message ??= one
    if (isWeak(textOf(one), firstRequest([one]) ?? '')) continue
    message = one
    break
  }
  message ??=
    said.find(
      (one) => isPrompt(one) && (isShortRequest(textOf(one).trim()) || firstRequest([one]) !== undefined),
    ) ?? said.find((one) => isPrompt(one) && !isSmallTalk(one) && /\p{L}\P{L}+\p{L}/u.test(textOf(one)))
  return message && { message, words: ownWords(textOf(message)) }
}

/** Whether nothing was asked before a message. */
export function isFirstRequest(said: readonly Message[], message: Message): boolean {
  return said.slice(0, said.indexOf(message)).every((one) => !isPrompt(one) || isSmallTalk(one))
}

/** Whether a prompt tells what it is about: `Fix the reader` does, and `continue` does not. */
export function tellsAlone(message: Message): boolean {
  return isPrompt(message) && tells(firstRequest([message]) ?? '')
}

/** Whether a prompt asks the agent for nothing: it greets, thanks or agrees, or is a shell command of the person, `!ls`. */
export function isSmallTalk(message: Message): boolean {
  const text = textOf(message).slice(0, 200).trim()
  return text.startsWith('!') || SMALL_TALK.test(text)
}

const PHRASES = [
  'hi+|hey+|hello|hallo|hola|ol[aá]|ciao|salut|bonjour|moin|servus|yo|xin ch[aà]o|привет|здравствуйте|你好|您好|こんにちは|안녕하세요',
  'guten (?:tag|morgen|abend)|good (?:morning|afternoon|evening|night)|bom dia|buenos d[ií]as|добрый день',
  'thank(?:s| you)(?: (?:so|very) much| a lot)?|many thanks|thx|ty|cheers|danke(?: sch[oö]n)?|merci|gracias|obrigad[oa]|спасибо|谢谢|ありがとう|c[aả]m [oơ]n',
  "ok(?:ay)?|alright|great|nice|perfect|awesome|cool|wow|amazing|excellent|good (?:job|work)|well done|love it|that[’']?s (?:great|it|all)|lol|haha+",
  'bye|good ?bye|see you|cu|have a (?:nice|good|great) (?:day|evening|one|weekend)|how are you|you there',
  String.raw`there|all|everyone|\p{Extended_Pictographic}\ufe0f?`,
]
const SMALL_TALK = new RegExp(String.raw`^(?:(?:${PHRASES.join('|')})(?=[^\p{L}]|$)[\s,.!?;:)(-]*)+$`, 'iu')
