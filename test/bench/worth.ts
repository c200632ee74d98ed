// `npm run worth`: of the facts that were planted in long conversations, how many each strategy keeps, by budget.
// Deterministic: the same tables on every machine. docs/context.md keeps them.
import { o200k } from '../../src/context/tokens/index.ts'
import { conversations, worthTable } from '../context/worth/measure.ts'
import { HELD_OUT_WORDS, KNOWN_WORDS } from '../context/worth/planted.ts'

const tokenizer = await o200k()
const cases = [
  {
    title: 'In words that the rules were made with; one sentence in five around them is noise:',
    noise: 0.2,
    words: KNOWN_WORDS,
  },
  { title: 'The same; every sentence around them is noise:', noise: 1, words: KNOWN_WORDS },
  {
    title: 'In words that were written when the rules were done; one in five is noise:',
    noise: 0.2,
    words: HELD_OUT_WORDS,
  },
  { title: 'The same; every sentence around them is noise:', noise: 1, words: HELD_OUT_WORDS },
]
for (const { title, noise, words } of cases)
  process.stdout.write(`${title}\n\n${worthTable(conversations(20, noise, words), tokenizer).join('\n')}\n\n`)
