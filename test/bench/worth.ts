// `npm run worth`: of the facts that were planted in long conversations, how many each strategy keeps, by budget, and how
// many the default one keeps in each language. Deterministic: the same tables on every machine. docs/context.md keeps them.
// `npm run worth -- --missed` prints which sentences the default one misses instead.
import { o200k } from '../../src/context/tokens/index.ts'
import { conversations, languageTable, worthTable } from '../context/worth/measure.ts'
import { missedTable } from '../context/worth/missed.ts'

const tokenizer = await o200k()
const cases = [
  {
    title: 'In words that the rules were made with; one sentence in five around them is noise:',
    plainly: 'In plain words; one sentence in five around them is noise:',
    noise: 0.2,
    words: 'known',
  },
  {
    title: 'The same; every sentence around them is noise:',
    plainly: 'The same; every sentence around them is noise:',
    noise: 1,
    words: 'known',
  },
  {
    title: 'In words that were written when the rules were done; one in five is noise:',
    plainly: 'By hints; one in five is noise:',
    noise: 0.2,
    words: 'heldOut',
  },
  {
    title: 'The same; every sentence around them is noise:',
    plainly: 'The same; every sentence around them is noise:',
    noise: 1,
    words: 'heldOut',
  },
] as const
if (process.argv.includes('--missed')) {
  for (const { plainly, noise, words } of cases) print(plainly, missedTable(noise, words, tokenizer))
} else {
  for (const { title, noise, words } of cases)
    print(title, worthTable(conversations(20, noise, { words }), tokenizer))
  process.stdout.write('## By language, with the default strategy\n\n')
  for (const { plainly, noise, words } of cases) print(plainly, languageTable(noise, words, tokenizer))
}

function print(title: string, table: readonly string[]): void {
  process.stdout.write(`${title}\n\n${table.join('\n')}\n\n`)
}
