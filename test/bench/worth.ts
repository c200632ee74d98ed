// `npm run worth`: of the facts that were planted in long conversations, how many each strategy keeps, by budget.
// Deterministic: the same table on every machine. docs/context.md keeps it.
import { o200k } from '../../src/context/tokens.ts'
import { conversations, worthTable } from '../context/worth/measure.ts'

const tokenizer = await o200k()
for (const noise of [0.2, 1]) {
  process.stdout.write(`\nOf the sentences ${noise * 100} % sound like facts and are none:\n\n`)
  process.stdout.write(`${worthTable(conversations(20, noise), tokenizer).join('\n')}\n`)
}
