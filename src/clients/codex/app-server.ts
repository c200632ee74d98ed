import { spawn } from 'node:child_process'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { commandNamed } from '../../io/program.ts'
import { type Fields, fieldsOf, jsonIn } from '../shared/transcript/fields.ts'

/** The longest wait for an answer. An answer usually takes a tenth of a second, and longer on a busy machine. */
const TIMEOUT_MS = 30_000

/**
 * Starts the app server of Codex CLI, initializes it as an editor does, sends it one request, and ends it. When its
 * stdin ends, the server stops without answering open requests (0.169.0), so stdin stays open until the answer has
 * come. Throws `client-failed` when no answer comes.
 */
export function askAppServer(
  { env }: Environment,
  cwd: string,
  method: string,
  params: object,
): Promise<Fields> {
  return new Promise((resolve, reject) => {
    const { file, args, verbatim } = commandNamed('codex', ['app-server'], env)
    const server = spawn(file, args, {
      cwd,
      env,
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
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
    let unread = ''
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (unread + text).split('\n')
      unread = lines.pop() ?? ''
      // A line may be a warning, and no message.
      const answer = lines.map((line) => fieldsOf(jsonIn(line))).find(({ id }) => id === REQUEST_ID)
      if (answer !== undefined) end(answer.result)
    })
    server.on('error', () => end())
    server.on('close', () => end())
    // A program that is not an app server ends without reading its stdin, and then a write fails.
    server.stdin.on('error', () => undefined)
    const clientInfo = { name: 'cortext', version: '1' }
    for (const message of [
      { id: 0, method: 'initialize', params: { clientInfo } },
      { method: 'initialized' },
      { id: REQUEST_ID, method, params },
    ])
      server.stdin.write(`${JSON.stringify(message)}\n`)
  })
}

const REQUEST_ID = 1
