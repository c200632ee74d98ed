import type { Client } from '../../clients/contract/client.ts'
import type { AskAnswer, Question } from '../../clients/contract/questions.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { type Answer, askProgram } from '../../io/run.ts'
import { withTemporaryFolder } from '../../io/temporary-folder.ts'
import { cutAtWord, oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { checkStart } from '../resuming/start-client.ts'

/** Time limit for one answer. A model takes a minute or two to summarise a long conversation. */
const PATIENCE_MS = 5 * 60_000

/**
 * Asks a client's model one question, without a terminal. The client works in a new folder that contains only the files
 * of the question. The folder is removed afterwards. Throws `refused` if the client cannot be asked, `cancelled` when
 * `stop` is aborted, `client-missing`, and `client-failed`.
 */
export async function askClient(
  environment: Environment,
  { client, stop, patience = PATIENCE_MS }: { client: Client; stop?: AbortSignal; patience?: number },
  question: Question,
): Promise<AskAnswer> {
  const spec = client.questions?.ask({ ...question, mcpServers: serversOf(environment, client) })
  if (spec === undefined)
    throw new CortextError('refused', `${client.name} cannot be asked without a terminal`)
  const program = checkStart(environment, client)
  return withTemporaryFolder(spec.files, async (folder) => {
    if (stop?.aborted) throw cancelled(client)
    const answer = await askProgram(program, spec.args, {
      // OpenCode 1.18.33 works in the folder that PWD names, and a shell has set PWD to the person's folder.
      env: { ...environment.env, ...spec.env, PWD: folder },
      cwd: folder,
      timeoutMs: patience,
      input: spec.input,
      ...(stop === undefined ? {} : { stop }),
    })
    if (stop?.aborted) throw cancelled(client)
    const summary =
      typeof answer === 'object' && answer.code === 0 ? spec.answer(String(answer.stdout)) : undefined
    if (summary === undefined) throw failed(client, answer, patience)
    return summary
  })
}

/** Returns the MCP servers in the client's user settings. The new folder, in which the client is asked, adds none. */
function serversOf(environment: Environment, { tools }: Client): string[] {
  return tools.mcpServers?.(environment, environment.home) ?? []
}

function cancelled(client: Client): CortextError {
  return new CortextError('cancelled', `${client.name} was interrupted; nothing was kept`)
}

function failed(client: Client, answer: Answer, patience: number): CortextError {
  return new CortextError('client-failed', `${client.name} gave no summary: ${whyOf(answer, patience)}`, {
    fix: paste`look whether it answers by itself: ${client.id}`,
  })
}

const MAX_WORDS_LENGTH = 300

function whyOf(answer: Answer, patience: number): string {
  if (answer === 'hangs') return `it did not answer within ${Math.round(patience / 1000)} s`
  if (answer === 'prints too much') return 'it printed too much'
  if (answer === 'cannot be started') return 'it cannot be started'
  const words = oneLine(answer.stderr) || oneLine(String(answer.stdout))
  const end = answer.code === 0 ? 'an empty answer' : `it ended with ${answer.code ?? 'a signal'}`
  return words === '' ? end : `${end} (${cutAtWord(words, MAX_WORDS_LENGTH)})`
}
