// One process of an agent whose model is played: `node fake-agent.mjs <folder> <key> <turns>` runs so many turns and
// prints a line for each that was recorded. It goes on where the record ends.
import { openStore } from 'cortext'
import { runTurn } from '../../examples/agent-loop.mjs'

const BUDGET = 3000

/** Asks a tool once a turn, then answers. Refuses what a real model's API would refuse. */
export function fakeModel(seen) {
  return async ({ messages }) => {
    checkPairs(messages)
    seen?.(messages)
    const last = messages.at(-1)
    if (last.role === 'tool') return { content: `It says: ${last.content.slice(0, 20)}` }
    const number = /\d+/.exec(last.content)[0]
    return {
      content: null,
      tool_calls: [{ id: `call-${number}`, name: 'read_file', arguments: { path: `${number}.txt` } }],
    }
  }
}

export const tools = {
  read_file: ({ path }) => `${path}\n${'line of a file\n'.repeat(40)}`,
}

/** Every call is answered right behind it, and nothing answers a call that is not there. */
function checkPairs(messages) {
  let open = []
  for (const { role, tool_calls: calls, tool_call_id: id } of messages) {
    if (role === 'tool') {
      if (!open.includes(id)) throw new Error(`a result without its call: ${id}`)
      open = open.filter((one) => one !== id)
    } else {
      if (open.length > 0) throw new Error(`calls without a result: ${open}`)
      open = (calls ?? []).map((call) => call.id)
    }
  }
  if (open.length > 0) throw new Error(`calls without a result: ${open}`)
}

export async function nextTurn(store, key, seen) {
  const chat = store.conversation(key)
  const said = await chat.messages()
  const number = said.filter(({ role }) => role === 'user').length + 1
  const text = `turn ${number}`
  const model = fakeModel(seen)
  await runTurn({ chat, model, tools, system: 'You read files.', text, id: text, budget: BUDGET })
  return number
}

if (process.argv[1] === import.meta.filename) {
  const [folder, key, turns] = process.argv.slice(2)
  for (let left = Number(turns); left > 0; left--)
    process.stdout.write(`${await nextTurn(await openStore(folder), key)}\n`)
}
