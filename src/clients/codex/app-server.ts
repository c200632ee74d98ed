import { spawn } from 'node:child_process'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/run.ts'
import { type Fields, fieldsOf } from '../shared/transcript/fields.ts'

/** The longest that an answer may take. It takes a tenth of a second, and a few on a busy machine. */
const TIMEOUT_MS = 30_000

/**
 * Asks the app server of Codex CLI one thing, as an editor does, and ends it. It stops at the end of its stdin, and what
 * it has not answered by then stays unanswered (0.169.0); so the stdin is kept open until the answer is there. Throws
 * `client-failed` when there is none.
 */
export function askAppServer(
  { env }: Environment,
  cwd: string,
  method: string,
  params: object,
): Promise<Fields> {
  return new Promise((resolve, reject) => {
    const server = spawn(findProgram('codex', env) ?? 'codex', ['app-server'], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const giveUp = setTimeout(() => server.kill('SIGKILL'), TIMEOUT_MS)
    const end = (answer?: unknown) => {
      clearTimeout(giveUp)
      server.stdin.end()
      if (typeof answer === 'object' && answer !== null) return resolve(fieldsOf(answer))
      reject(
        new CortextError('client-failed', `Codex CLI did not answer (codex app-server, ${method})`, {
          fix: 'codex doctor',
        }),
      )
    }
    let heard = ''
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (heard + text).split('\n')
      heard = lines.pop() ?? ''
      const answer = lines.map(messageIn).find(({ id }) => id === ASKED)
      if (answer !== undefined) end(answer.result)
    })
    server.on('error', () => end())
    server.on('close', () => end())
    // A program that is no app server ends without reading.
    server.stdin.on('error', () => undefined)
    const clientInfo = { name: 'cortext', version: '1' }
    for (const message of [
      { id: 0, method: 'initialize', params: { clientInfo } },
      { method: 'initialized' },
      { id: ASKED, method, params },
    ])
      server.stdin.write(`${JSON.stringify(message)}\n`)
  })
}

const ASKED = 1

function messageIn(line: string): Fields {
  try {
    return fieldsOf(JSON.parse(line))
  } catch {
    // The line is a warning and no message.
    return {}
  }
}
