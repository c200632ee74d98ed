// An agent loop that keeps its conversation in a Cortext workspace. It remembers nothing itself: every turn may run in
// a process of its own, after a restart or a crash.

/**
 * One turn: what the person says, as many rounds of model and tools as it takes, and at the end all of it into the
 * record at once, so that a run that fails leaves nothing behind.
 *
 * `model({ system, messages })` answers `{ content, tool_calls? }`; `tools` are functions by name. `id` names the turn:
 * when it is run again after a crash that came too late, nothing is written twice.
 */
export async function runTurn({ chat, model, tools, system, text, id, budget = 8000 }) {
  const { messages } = await chat.context({ budget })
  const turn = [{ role: 'user', content: text }]
  while (true) {
    const answer = await model({ system, messages: [...messages, ...turn] })
    turn.push({ role: 'assistant', ...answer })
    if (answer.tool_calls === undefined) break
    for (const call of answer.tool_calls) turn.push(await result(call, tools))
  }
  await chat.append(turn.map((message, place) => ({ ...message, id: `${id}/${place}` })))
  return turn.at(-1).content
}

async function result(call, tools) {
  const answer = { role: 'tool', tool_call_id: call.id, tool_name: call.name }
  try {
    return { ...answer, content: await tools[call.name](call.arguments) }
  } catch (error) {
    return { ...answer, content: String(error), is_error: true }
  }
}
