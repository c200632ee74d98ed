import { spawn } from 'node:child_process'

const NOT_FOUND =
  'cortext was not found, so this conversation is not being recorded. Install it with: npm install -g cortext'
const NOT_WORKING =
  'cortext does not work here, so this conversation is not being recorded. Update it with npm install -g cortext, or see: cortext doctor'
const HOOK_TIMEOUT_MS = 15_000

/** The answer of `cortext hook`, or the reason why there is none. The answer is {} when cortext prints nothing. */
export type Outcome = { answer: Answer; failure?: never } | { answer?: never; failure: string }

/**
 * Texts for the agent and the person. The types are unknown, because another program named cortext may print anything.
 */
export interface Answer {
  agent?: unknown
  person?: unknown
}

/**
 * For a plugin that runs in a client's own process: runs `cortext hook <client>` with `event` as its input. Never
 * rejects. Kills a call that hangs, and does not wait for processes that the call has started. A workspace contains this
 * file, within the plugin, so it imports only modules of node.
 */
export function askCortext(client: string, event: object, cwd: string | undefined): Promise<Outcome> {
  return new Promise((resolve) => {
    // Cortext needs the client's process id. The parent process of cortext may be a version manager.
    const env = { ...process.env, CORTEXT_CLIENT_PID: String(process.pid) }
    const child = spawn('cortext', ['hook', client], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
    child.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve({ failure: code === 'ENOENT' ? NOT_FOUND : NOT_WORKING }),
    )
    // A child that could not be started for want of files has no pipes.
    const { stdin, stdout } = child as Partial<typeof child>
    if (!stdin || !stdout) return
    let output = ''
    const giveUp = setTimeout(() => {
      child.kill('SIGKILL')
      stdout.destroy()
      resolve({ failure: NOT_WORKING })
    }, HOOK_TIMEOUT_MS)
    child.on('error', () => clearTimeout(giveUp))
    stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
    stdin.on('error', () => {})
    child.on('close', (code) => {
      clearTimeout(giveUp)
      const answer = code === 0 ? parse(output) : undefined
      resolve(answer === undefined ? { failure: NOT_WORKING } : { answer })
    })
    stdin.end(JSON.stringify(event))
  })
}

/** The answer as an object. Undefined for an output that cortext never gives. */
function parse(text: string): Answer | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    // The output comes from another program named cortext.
    return undefined
  }
}
