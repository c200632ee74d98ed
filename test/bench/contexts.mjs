// What contexts cost: a part of `npm run bench`.
import { basename, dirname, join } from 'node:path'
import glob from 'fast-glob'
import { addConversations, makeWorkspace } from './data.mjs'
import { CLI, cortext, inTurns, peak, place, run, say, verdict } from './timing.mjs'

const BUDGETS = [4000, 8000, 20_000, 200_000]
const MAX_SECONDS = 0.3
const MAX_MEGABYTES = 200

/** Reading a conversation, building its context, printing it: what that takes longer than with one of two messages. */
export function contexts() {
  const short = generated(2)
  const all = [['10,000 messages', generated(10_000)], ...recordings()]
  contextRow('context of', 'tokens', 'whole run', 'processing', 'memory', 'verdict')
  for (const [name, conversation] of all)
    for (const budget of BUDGETS) {
      const { ms, other } = inTurns(
        7,
        () => context(conversation, budget),
        () => context(short, budget),
      )
      const megabytes = peak(conversation.root, contextOf(conversation, budget))
      const good = ms - other <= MAX_SECONDS * 1000 && megabytes < MAX_MEGABYTES
      const processing = `${((ms - other) / 1000).toFixed(3)} s`
      contextRow(name, budget, `${ms.toFixed(0)} ms`, processing, `${megabytes.toFixed(0)} MB`, verdict(good))
    }
  say(`targets: processing ≤ ${MAX_SECONDS} s, memory < ${MAX_MEGABYTES} MB`)
}

function generated(messages) {
  const root = makeWorkspace(join(place, `context-${messages}`))
  const [folder] = addConversations(root, 1, messages)
  return { root, id: basename(folder) }
}

/** The conversations that were recorded with the real clients for the tests. */
function recordings() {
  const fixtures = join(import.meta.dirname, '../fixtures')
  return glob
    .sync('*/*/recorded.jsonl', { cwd: fixtures })
    .sort()
    .map((name) => {
      const root = makeWorkspace(join(place, `recorded-${name.replaceAll('/', '-')}`))
      const [client] = name.split('/')
      const { stdout } = cortext(root, ['import', client, '--file', join(fixtures, name), '--json'])
      return [dirname(name), { root, id: JSON.parse(stdout).imported[0].id }]
    })
}

function context(conversation, budget) {
  return run(conversation.root, contextOf(conversation, budget))
}

function contextOf({ id }, budget) {
  return [CLI, 'context', id, '--budget', `${budget}`]
}

function contextRow(name, budget, whole, processing, memory, said) {
  say(
    `${name.padEnd(20)} ${`${budget}`.padStart(8)} ${whole.padStart(11)} ${processing.padStart(11)} ${memory.padStart(8)}  ${said}`,
  )
}
