import { type Fact, KINDS, type Kind, type Needle } from './fact.ts'
import { factsOfPerson } from './person.ts'
import { type RareWords, rareWords } from './rare-words.ts'
import type { Talk } from './talk.ts'
import { factsOfWork, lastPassage } from './work.ts'

const MAX_OF_A_KIND = 20
const MAX = 200

/** What the next agent needs of a talk: the newest twenty of each kind, by kind, two hundred in all. */
export function findFacts(talk: Talk): Fact[] {
  const rare = rareWords(talk)
  const all = [...factsOfPerson(talk, rare), ...factsOfWork(talk, rare), ...factsOfAnswers(talk, rare)]
  const byKind = KINDS.map((kind) =>
    different(all.filter((fact) => fact.kind === kind)).slice(-MAX_OF_A_KIND),
  )
  return byKind.flat().slice(0, MAX)
}

function different(facts: readonly Fact[]): Fact[] {
  return [...new Map(facts.map((fact) => [JSON.stringify(fact), fact])).values()]
}

/** What the agent said last in each of the newest ten turns, and what a short answer of the person was an answer to. */
function factsOfAnswers({ said }: Talk, rare: RareWords): Fact[] {
  const last = said.flatMap(({ who, text }, place) => {
    const next = said[place + 1]
    return who === 'agent' && next?.who !== 'agent'
      ? [{ needle: lastPassage(text, rare), reply: next?.text }]
      : []
  })
  const about = (kind: Kind, needle: Needle | undefined): Fact[] =>
    needle === undefined ? [] : [{ kind, needles: [needle] }]
  return [
    ...last.slice(-TURNS).flatMap(({ needle }) => about('last answers', needle)),
    ...last
      .filter(({ reply }) => reply !== undefined && reply.split(/\s+/).length <= SHORT)
      .flatMap(({ needle }) => about('what a short answer answers', needle)),
  ]
}

const TURNS = 10
/** The words of a short answer. */
const SHORT = 4
