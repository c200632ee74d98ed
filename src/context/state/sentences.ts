import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { oneLine } from '../../text/line.ts'

/**
 * Kind of a sentence, judged by English words. Sentences in other languages have no kind; strategies choose them by
 * speaker and rarity.
 */
export type Kind = 'constraint' | 'decision' | 'problem' | 'next'

const HEAD_LENGTH = 6000
const TAIL_LENGTH = 3000

/** Returns the head and the tail of a long text. The middle of a long text is usually a paste, which is not talk. */
export function headAndTail(text: string): string {
  return text.length <= HEAD_LENGTH + TAIL_LENGTH
    ? text
    : `${text.slice(0, HEAD_LENGTH)}\n${text.slice(-TAIL_LENGTH)}`
}

export interface Sentence {
  readonly text: string
  /** The kind is judged on first access, because the kinds of most sentences are never read. */
  readonly kind: Kind | undefined
}

class JudgedSentence implements Sentence {
  readonly text: string
  #kind: Kind | undefined | null = null

  constructor(text: string) {
    this.text = text
  }

  get kind(): Kind | undefined {
    if (this.#kind === null) this.#kind = kindOf(this.text)
    return this.#kind
  }
}

const cache = new WeakMap<Message, Sentence[]>()

/** Returns the sentences of a message. Cached. */
export function sentencesIn(message: Message): Sentence[] {
  const cached = cache.get(message)
  if (cached !== undefined) return cached
  const sentences = sentencesOf(textOf(message)).map((text) => new JudgedSentence(text))
  cache.set(message, sentences)
  return sentences
}

/** White space after the end of a sentence. The full stop of `i.e.`, `U.S.` or `vs.` is none. */
const SENTENCE_END =
  /(?<=[.!?…])(?<!\b\p{L}\.\p{L}\.)(?<!\b(?:vs|cf|approx|Dr|Mrs?|Ms)\.)\s+|(?<=[。！？])\s*|\n+/u

/** Stands for a space in code, after which no sentence ends. */
const IN_CODE = '\ue000'

/** Returns the sentences and list items of a text, each as one line, without code blocks and markup. */
export function sentencesOf(text: string): string[] {
  return headAndTail(text)
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .replace(/`[^`\n]{1,200}`/g, (code) => code.replaceAll(' ', IN_CODE))
    .split(SENTENCE_END)
    .map((one) =>
      oneLine(
        one
          .replaceAll(IN_CODE, ' ')
          .replace(/^[\s>#*+•-]+/, '')
          .replace(/(`[^`]*`)|\*\*/g, '$1'),
      ),
    )
    .filter((one) => one.length >= 3)
}

/** The kinds in the order in which they are tried; the first that matches counts. */
const WORDS_OF_KIND: readonly (readonly [Kind, RegExp])[] = [
  [
    'decision',
    /\b(?:decid\w+|decision|settled? (?:on|for)|agreed?|cho(?:ose|osing|se|sen)|picked|opted|conclusion|verdict|wins|the plan is|go(?:ing)? (?:with|for)|stick(?:ing)? (?:with|to)|(?:we|i)(?:['’]ll| will| shall) (?:use|take|keep|go|do|make|have|store|call)|let(?:['’]?s| us) (?:use|go|take|keep|make|do|store|call)|instead of|rather than|final answer|done deal)\b/i,
  ],
  [
    'constraint',
    /\b(?:must(?:n['’]t)?|never|always|only (?:use|if|when|the)|avoid|at (?:most|least)|no more than|require[sd]?|requirement|ha(?:s|ve) to|needs? to|should(?:n['’]t)?|prefer\w*|constraint|forbid(?:s|den)?|prohibit\w*|no[- ]go|non[- ]negotiable|not allowed|off[- ]limits|rather not|careful|mind(?:ful)? (?:that|of)|rel(?:y|ies) on|can(?:no|['’])t (?:change|touch|use|break)|only \S+ (?:may|can|is allowed)|no new|not more|budget|deadline|compatible|support|do(?: not|n['’]t) (?!(?:know|remember|recall|think|believe|understand|see|care|mind|worry)\b)\w+|make sure|ensure|without \w+ing|keep (?:it|the|to|this)|limit(?:ed)? to|(?:under|below|within|over) \d)\b|^(?:(?:and|but|also|please|so|ok(?:ay)?),? )*no (?!(?:problem|worries|worry|idea|thanks|thank|need|wonder|doubt|luck|rush|hurry|way|one|more|questions?|i|it|its|he|she|they|that|thats|this|there|you|we|not|just|wait|sorry|go|please)\b)\w/i,
  ],
  [
    'problem',
    /\b(?:block(?:ed|er|s)|fail(?:s|ed|ing|ure|ures)?|errors?|broken|breaks|does(?: not|n['’]t) \w+|cannot|can['’]t|unresolved|still (?:open|red|missing|unclear)|open question|unclear|waiting (?:for|on)|stuck|crash\w*|regress\w*|flaky|bug)\b/i,
  ],
  [
    'next',
    /\b(?:next(?: step)?s?(?![. -]?js\b)|to[- ]?do|remain(?:s|ing)|still (?:need|have|to)|left to do|tomorrow|after that|follow[- ]?up|afterwards|then (?:we|i)|continue with|pick up)\b/i,
  ],
]

/**
 * Sentences that have the words of a kind but are not of that kind. For example, a question is no decision, and a
 * solved problem is no problem.
 */
const EXCEPTIONS: Partial<Record<Kind, RegExp>> = {
  decision: /\?$|\b(?:can(?:no|['’])t|not|\w+n['’]t|yet to|to be) (?:yet )?(?:decid|agree)/i,
  // `Could you make sure that …?` is a question, but it states a constraint.
  constraint: /^(?:which|what|who|where|when|why|how|should|shall|do|does|did|is|are|was)\b.*\?$/i,
  problem:
    /^(?!.*\b(?:but|except|not|still|unless|until|yet|\w+n['’]t)\b).*\b(?:(?:no|0|zero|without) (?:any |more |longer |other |new )*(?:errors?|fail\w*|bugs?|problems?|blocke\w+|crash\w*|regress\w*)|never (?:fail|crash)\w*|(?:is|are|was|were|been|got|now) (?:now |all )?(?:fixed|resolved|solved|gone|unblocked)|(?:fixe[ds]|resolve[ds]|solve[ds]) (?:the|this|that|it|all|both)|tests pass)\b/i,
  next: /\?$|^(?:just )?let me know\b/i,
}

function kindOf(sentence: string): Kind | undefined {
  return WORDS_OF_KIND.find(
    ([kind, words]) => words.test(sentence) && EXCEPTIONS[kind]?.test(sentence) !== true,
  )?.[0]
}
