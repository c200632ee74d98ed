// Records the conversations of this workspace for cortext. Made by `cortext init`, taken back by `cortext uninstall`.
// Needs nothing but node's own modules, never blocks OpenCode for long, and does no harm where cortext is missing.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** The shape that OpenCode 1.18 (`server`) and OpenCode 2 (`setup`) both load. */
export default { id: 'cortext', server, setup }

/** The calls that an agent may make without the person being asked: src/clients/setup/allowed-calls.ts says the same. */
const ALLOWED = [
  ...['start', 'save', 'list', 'show', 'search', 'context'],
  ...['stop --summary-stdin', 'stop --complete', 'stop --no-commit'],
  ...['resume --here', 'resume --print', 'resume --list'],
]
const NOT_FOUND =
  'cortext was not found, so this conversation is not being recorded. Install it with: npm install -g cortext'
const NOT_WORKING =
  'cortext does not work here, so this conversation is not being recorded. Update it with npm install -g cortext, or see: cortext doctor'
const HOOK_TIMEOUT_MS = 15_000
const TOAST_DELAY_MS = 1_000

/** 1.18 calls this too, with a context that has no sessions: there `server` records. */
async function setup(ctx) {
  if (!ctx?.session?.hook || !ctx.session.context || !ctx.event?.subscribe) return
  const { record } = await import('../cortext/opencode-2.js')
  return record(ctx, { transcriptOf, runHook })
}

async function server({ client, directory }) {
  forgetOffline()
  const sessions = new Map()
  let servers = []
  let allows = false
  let told = false

  /** A session and its transcript; of a subagent the session that started it. */
  async function rootOf(id) {
    const known = sessions.get(id)
    if (known !== undefined) return known
    const info = (await client.session.get({ path: { id } })).data
    const root = info?.parentID
      ? await rootOf(info.parentID)
      : {
          id,
          transcript: transcriptOf(id),
          queue: Promise.resolve(),
          known: undefined,
          resumed: isResumed(info),
        }
    sessions.set(id, root)
    return root
  }

  /** One after the other for each session, so that what a turn began with lies before what it brought. */
  function enqueue(session, work) {
    const done = session.queue.then(work)
    session.queue = done.catch((error) => warn(`cortext could not record this: ${error?.message ?? error}`))
    return session.queue
  }

  /**
   * Appends to the transcript what the session has beyond it, subagents included; of what came before the message
   * `upTo`, if one is given. Ids ascend.
   */
  async function bringUp(session, upTo) {
    session.known ??= readKnown(session.transcript)
    const records = await recordsOf(session.id, true)
    const present = new Set(records.map((record) => record.id))
    const removed = [...session.known.keys()]
      .filter((id) => session.known.get(id).sessionID === session.id && !present.has(id))
      .map((id) => ({ type: 'removed', id, sessionID: session.id }))
    // What was taken back goes before what was said instead.
    const fresh = [...removed, ...records]
      .filter((record) => upTo === undefined || record.type !== 'message' || record.id < upTo)
      .filter((record) => note(session.known, record))
    if (fresh.length === 0) return
    mkdirSync(dirname(session.transcript), { recursive: true, mode: 0o700 })
    appendFileSync(session.transcript, fresh.map((one) => `${JSON.stringify(one)}\n`).join(''), {
      mode: 0o600,
    })
  }

  async function recordsOf(id, isRoot) {
    const [info, messages] = await Promise.all([
      client.session.get({ path: { id } }),
      client.session.messages({ path: { id } }),
    ])
    if (info.data === undefined || messages.data === undefined) throw new Error(`no session ${id}`)
    const records = messages.data.map(({ info, parts }) => ({ type: 'message', id: info.id, info, parts }))
    const children = await Promise.all(childrenIn(messages.data).map((child) => recordsOf(child, false)))
    const own = { type: 'session', id, info: info.data, mcp: isRoot ? servers : [] }
    return [own, ...records, ...children.flat()]
  }

  async function hook(session, event, more = {}) {
    const payload = { event, session: session.id, transcript: session.transcript, directory, ...more }
    const { answer, failure } = await runHook(payload, directory)
    if (failure) warn(failure)
    if (typeof answer?.person === 'string') warn(answer.person)
    return answer
  }

  /** To the person, once; where there is no terminal UI nobody hears it. */
  async function warn(message) {
    if (told) return
    told = true
    try {
      // A toast that comes while the session is being opened is not always shown (1.18.33).
      await new Promise((resolve) => setTimeout(resolve, TOAST_DELAY_MS))
      await client.tui.showToast({ body: { message, variant: 'warning', duration: 10_000 } })
    } catch {
      // Nobody to tell.
    }
  }

  /** OpenCode gives up a turn when a hook throws, so none does. */
  function harmless(hooks) {
    const guarded = Object.entries(hooks).map(([name, work]) => [
      name,
      async (...args) => {
        try {
          await work(...args)
        } catch (error) {
          warn(`cortext could not record this: ${error?.message ?? error}`)
        }
      },
    ])
    return Object.fromEntries(guarded)
  }

  const isRecorded = (session) => session.resumed || existsSync(session.transcript)

  return harmless({
    async config(config) {
      servers = Object.keys(config.mcp ?? {})
      allows = allowCortext(config)
    },

    async 'command.execute.before'({ command, sessionID, arguments: args }, { parts }) {
      const body = parts.find((part) => part.type === 'text')
      if (body === undefined) return
      if (!command.startsWith('workspace.')) {
        body.metadata = { ...body.metadata, cortext: { command, arguments: args } }
        return
      }
      const session = await rootOf(sessionID)
      let answer
      await enqueue(session, async () => {
        await bringUp(session)
        answer = await hook(session, 'command', { command, args })
      })
      if (answer === undefined) return
      // The person sees what they typed; the model is given the instructions.
      parts.push({ type: 'text', synthetic: true, text: body.text })
      body.text = `/${command}${args.trim() === '' ? '' : ` ${args}`}`
      body.ignored = true
      body.metadata = { cortext: { command, arguments: args } }
      if (typeof answer.agent === 'string') parts.push({ type: 'text', synthetic: true, text: answer.agent })
    },

    async 'chat.message'({ sessionID }, { message }) {
      const session = await rootOf(sessionID)
      if (session.id !== sessionID || !isRecorded(session)) return
      // Not waited for: the prompt goes to the model at once.
      void enqueue(session, async () => {
        await bringUp(session, message.id)
        await hook(session, 'turn-start')
      })
    },

    /** What cortext is about to look at has to be there, whether or not the session is recorded so far. */
    async 'tool.execute.before'({ tool, sessionID }, { args }) {
      if (tool !== 'bash' || !/\bcortext\b/.test(String(args?.command))) return
      if (allows && hidesMore(args.command)) args.command = `${ASK}${args.command}`
      const session = await rootOf(sessionID)
      await enqueue(session, () => bringUp(session))
    },

    async 'shell.env'({ sessionID }, output) {
      if (sessionID !== undefined) output.env.CORTEXT_OPENCODE_SESSION = (await rootOf(sessionID)).id
    },

    async event({ event }) {
      if (event.type !== 'session.idle') return
      const session = await rootOf(event.properties.sessionID)
      if (session.id !== event.properties.sessionID || !isRecorded(session)) return
      await enqueue(session, async () => {
        await bringUp(session)
        await hook(session, 'turn-end')
      })
    },

    async dispose() {
      const roots = [...new Set(sessions.values())].filter(isRecorded)
      await Promise.all(
        roots.map((session) =>
          enqueue(session, async () => {
            await bringUp(session)
            await hook(session, 'session-end')
          }),
        ),
      )
    },
  })
}

/** Where cortext looks for the transcript of a session (src/clients/opencode/locate.ts says the same). */
function transcriptOf(id) {
  const data = process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share')
  return join(data, 'cortext', 'opencode', `${id}.jsonl`)
}

/** What the launch needed at start-up, and no program that the agent runs may see. */
function forgetOffline() {
  if (process.env.CORTEXT_OFFLINE === undefined) return
  delete process.env.CORTEXT_OFFLINE
  delete process.env.npm_config_offline
}

/** Made by `cortext resume`: recorded from the first thing that is said. */
function isResumed(info) {
  return info?.metadata?.cortext !== undefined
}

/** Message and session id → the state in which the transcript holds it. */
function readKnown(transcript) {
  const known = new Map()
  if (!existsSync(transcript)) return known
  for (const line of readFileSync(transcript, 'utf8').split('\n')) {
    try {
      note(known, JSON.parse(line))
    } catch {
      // Torn by a crash: what it held comes again.
    }
  }
  return known
}

/** Whether the record says something new; from then on it is known. */
function note(known, record) {
  if (record.type === 'removed') return known.delete(record.id)
  const state = stateOf(record)
  if (known.get(record.id)?.state === state) return false
  known.set(record.id, { state, sessionID: record.info.sessionID })
  return true
}

/** Sums and clocks of the client change all the time and say nothing. */
function stateOf({ type, info, parts, mcp }) {
  if (type === 'session') return JSON.stringify([info.title, info.directory, info.version, mcp])
  const { summary, ...rest } = info
  return JSON.stringify([rest, summary === true, parts])
}

/** Sessions of the subagents that these messages started. */
function childrenIn(messages) {
  const parts = messages.flatMap((message) => message.parts)
  return [...new Set(parts.map((part) => part.state?.metadata?.sessionId).filter(Boolean))]
}

/**
 * Where the person is asked about shell commands, our calls are let through; whether they are. The last rule that fits
 * decides, so theirs come behind ours. Who has a rule of their own for cortext decides alone.
 */
function allowCortext(config) {
  const permission = typeof config.permission === 'string' ? { '*': config.permission } : config.permission
  const bash = typeof permission?.bash === 'string' ? { '*': permission.bash } : (permission?.bash ?? {})
  const names = Object.keys(permission ?? {})
  const overruled = names.includes('bash') && names.indexOf('*') > names.indexOf('bash')
  if (overruled || (bash['*'] ?? permission?.['*']) !== 'ask') return false
  const ours = Object.fromEntries(ALLOWED.map((words) => [`cortext ${words}*`, 'allow']))
  const rules = Object.entries(bash)
  if (rules.some(([pattern, action]) => pattern.startsWith('cortext') && ours[pattern] !== action))
    return false
  const general = rules.findIndex(([pattern]) => pattern === '*') + 1
  const all = [...rules.slice(0, general), ...Object.entries(ours), ...rules.slice(general)]
  config.permission = { ...permission, bash: Object.fromEntries(all) }
  return true
}

/** Does nothing in a shell; as a command that no rule of ours allows it makes OpenCode ask. */
const ASK = ": 'more than a plain call of cortext'; "

const WORD = /(?:[\p{L}\p{N}_@%+=:,./-]|'[^']*'|"[^"$`\\]*")+/u.source
const CALL = new RegExp(`^cortext(?: +${WORD})*$`, 'u')

/**
 * Whether a line that a rule of ours may fit is more than one call of cortext, which may be given a quoted
 * here-document. OpenCode asks about each command in a line apart, and does not see the redirection of
 * `cortext list > file`, nor that of `(cortext list) > file` (1.18.33).
 */
function hidesMore(command) {
  if (!ALLOWED.some((words) => command.includes(`cortext ${words}`))) return false
  const [first, ...lines] = command.trim().split('\n')
  const [, call = first, end] = /^(.*) <<'(\w+)'$/.exec(first) ?? []
  return !CALL.test(call) || lines.indexOf(end) !== lines.length - 1
}

/**
 * What `cortext hook` answers: an object, empty when it says nothing; or why there is no answer. Killed after a while,
 * and not waited for any longer, whatever it has left running.
 */
function runHook(payload, cwd) {
  return new Promise((resolve) => {
    // A version manager may stand between the two.
    const env = { ...process.env, CORTEXT_CLIENT_PID: String(process.pid) }
    const child = spawn('cortext', ['hook', 'opencode'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
    let said = ''
    const giveUp = setTimeout(() => {
      child.kill('SIGKILL')
      child.stdout.destroy()
      resolve({ failure: NOT_WORKING })
    }, HOOK_TIMEOUT_MS)
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    child.stdin.on('error', () => {})
    child.on('error', ({ code }) => {
      clearTimeout(giveUp)
      resolve({ failure: code === 'ENOENT' ? NOT_FOUND : NOT_WORKING })
    })
    child.on('close', (code) => {
      clearTimeout(giveUp)
      const answer = code === 0 ? parse(said) : undefined
      resolve(answer === undefined ? { failure: NOT_WORKING } : { answer })
    })
    child.stdin.end(JSON.stringify(payload))
  })
}

/** An object, or undefined for what cortext never says. */
function parse(text) {
  if (text.trim() === '') return {}
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    // Another program of that name.
    return undefined
  }
}
