// Records conversations in OpenCode 2 for cortext; loaded by ../plugins/cortext.js there. Made by `cortext init`.
// Written from OpenCode 2's public documentation and sources: what a version does not have is left out.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const COMMANDS = fileURLToPath(new URL('../commands/', import.meta.url))
const TURN_ENDS = ['succeeded', 'failed', 'interrupted'].map((how) => `session.execution.${how}`)

/** Registers with the context that OpenCode 2 gives to `setup`; returns what it awaits at the end. Never throws. */
export async function record(ctx, { transcriptOf, runHook }) {
  const sessions = new Map()
  const shells = new Map()
  const folder = ctx.location?.directory
  let ended = false

  /** A session and its transcript; of a subagent the session that started it. */
  async function rootOf(id) {
    const known = sessions.get(id)
    if (known !== undefined) return known
    const info = await ctx.session.get({ sessionID: id })
    const root = info.parentID
      ? await rootOf(info.parentID)
      : { id, directory: info.location?.directory, transcript: transcriptOf(id), queue: Promise.resolve() }
    sessions.set(id, root)
    return root
  }

  /** Its own sessions alone: one process serves all projects of a person. Undefined for a subagent too. */
  async function ownRoot(id) {
    const session = await rootOf(id)
    if (session.id !== id || (folder !== undefined && real(session.directory) !== real(folder)))
      return undefined
    return session
  }

  /** One after the other for each session, so that what a turn began with lies before what it brought. */
  function enqueue(session, work) {
    session.queue = session.queue.then(work).catch(() => {})
    return session.queue
  }

  /** Appends to the transcript what the session has beyond it; of what came before `upTo`, if given. */
  async function bringUp(session, upTo) {
    session.known ??= readKnown(session.transcript)
    const fresh = (await recordsOf(session.id)).filter((one) => {
      if (upTo !== undefined && one.type === 'message' && one.id >= upTo) return false
      const state = JSON.stringify(one)
      if (session.known.get(one.id) === state) return false
      session.known.set(one.id, state)
      return true
    })
    if (fresh.length === 0) return
    mkdirSync(dirname(session.transcript), { recursive: true, mode: 0o700 })
    const lines = fresh.map((one) => `${JSON.stringify(one)}\n`).join('')
    appendFileSync(session.transcript, lines, { mode: 0o600 })
  }

  /** What the model is given of a session: all of it until a compaction, so nothing is taken as removed. */
  async function recordsOf(id) {
    const [info, messages] = await Promise.all([
      ctx.session.get({ sessionID: id }),
      ctx.session.context({ sessionID: id }),
    ])
    const { title, location, parentID } = info
    const own = {
      type: 'session',
      id,
      info: { id, title, location, parentID, version: ctx.app?.version },
      mcp: [],
    }
    const records = messages.map((message) => ({ type: 'message', id: message.id, sessionID: id, message }))
    const children = await Promise.all(childrenIn(messages).map(recordsOf))
    return [own, ...records, ...children.flat()]
  }

  /** What cortext answers; undefined where it is missing or does not work. */
  async function hook({ id, transcript, directory }, event, more = {}) {
    const { answer } = await runHook({ event, session: id, transcript, directory, ...more }, directory)
    return answer
  }

  async function onPrompt(event) {
    const session = await ownRoot(event.sessionID)
    if (session === undefined) return
    const typed = commandIn(event.prompt.text)
    if (typed === undefined) {
      if (!existsSync(session.transcript)) return
      // Not waited for: the prompt goes to the model at once.
      void enqueue(session, async () => {
        await bringUp(session, event.messageID)
        await hook(session, 'turn-start')
      })
      return
    }
    let answer
    await enqueue(session, async () => {
      await bringUp(session, event.messageID)
      answer = await hook(session, 'command', { command: typed.command, args: typed.arguments })
    })
    if (answer === undefined) return
    event.metadata = { ...event.metadata, cortext: typed }
    if (typeof answer.agent === 'string') event.prompt.text = `${event.prompt.text}\n\n${answer.agent}`
  }

  /** What cortext is about to look at has to be there, and the shell that it is called from has to name the session. */
  async function onTool({ sessionID, input }) {
    const command = input?.command
    if (typeof command !== 'string' || !/\bcortext\b/.test(command)) return
    const session = await rootOf(sessionID)
    shells.set(command, session.id)
    await enqueue(session, () => bringUp(session))
  }

  function onShell({ command, env }) {
    const session = shells.get(command)
    shells.delete(command)
    if (session !== undefined) Object.assign(env, { OPENCODE: '1', CORTEXT_OPENCODE_SESSION: session })
  }

  async function onEvent({ type, data }) {
    if (!TURN_ENDS.includes(type)) return
    const session = await ownRoot(data.sessionID)
    if (session === undefined || !existsSync(session.transcript)) return
    await enqueue(session, async () => {
      await bringUp(session)
      await hook(session, 'turn-end')
    })
  }

  async function follow() {
    for await (const event of ctx.event.subscribe()) {
      if (ended) return
      await quietly(onEvent)(event)
    }
  }

  await ctx.session.hook('prompt', quietly(onPrompt))
  await ctx.tool?.hook?.('execute.before', quietly(onTool))
  await ctx.shell?.hook?.('create.before', quietly(onShell))
  void quietly(follow)()

  return async () => {
    ended = true
    const roots = [...new Set(sessions.values())].filter(({ transcript }) => existsSync(transcript))
    await Promise.all(
      roots.map((session) =>
        enqueue(session, async () => {
          await bringUp(session)
          await hook(session, 'session-end')
        }),
      ),
    )
  }
}

/** A hook that fails would fail what it looks at. */
function quietly(work) {
  return async (...args) => {
    try {
      await work(...args)
    } catch {
      // Nothing here is worth a person's prompt; what was missed comes with the next turn.
    }
  }
}

/**
 * The command of ours that a prompt is the expansion of, with its arguments: OpenCode 2 hands a command on expanded, and
 * tells nobody which it was.
 */
function commandIn(text) {
  for (const file of readdirSync(COMMANDS)) {
    const command = /^(workspace\..+)\.md$/.exec(file)?.[1]
    if (command === undefined) continue
    const body = readFileSync(new URL(file, `file://${COMMANDS}`), 'utf8').replace(
      /^---\n[\s\S]*?\n---\n/,
      '',
    )
    const args = argumentsIn(text, body.trim())
    if (args !== undefined) return { command, arguments: args }
  }
  return undefined
}

/** What stands for `$ARGUMENTS` in a text that was made of a body; undefined when it was not. */
function argumentsIn(text, body) {
  const pieces = body.split('$ARGUMENTS')
  if (pieces.length === 1) {
    if (text === body) return ''
    return text.startsWith(`${body}\n\n`) ? text.slice(body.length + 2) : undefined
  }
  const length = (text.length - pieces.join('').length) / (pieces.length - 1)
  const args = text.slice(pieces[0].length, pieces[0].length + length)
  return pieces.join(args) === text ? args : undefined
}

/** Message and session id → the state in which the transcript holds it. */
function readKnown(transcript) {
  const known = new Map()
  if (!existsSync(transcript)) return known
  for (const line of readFileSync(transcript, 'utf8').split('\n')) {
    try {
      known.set(JSON.parse(line).id, line)
    } catch {
      // Torn by a crash: what it held comes again.
    }
  }
  return known
}

/** Sessions of the subagents that these messages started. */
function childrenIn(messages) {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  return [...new Set(parts.map((part) => part.state?.metadata?.sessionID).filter(Boolean))]
}

function real(path) {
  try {
    return realpathSync(path)
  } catch {
    // Gone, or none: then only the same words are the same folder.
    return path
  }
}
