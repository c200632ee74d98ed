import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listBindings } from '../../../src/store/machine/list-bindings.ts'
import { localDir } from '../../../src/workspace/local-folder.ts'
import { BIN, ended, type Lab, workspaceLab } from '../../helpers/workspace-lab.ts'

const SESSIONS = {
  claude: 'aaaaaaaa-1111-4222-8333-444444444444',
  gemini: 'bbbbbbbb-1111-4222-8333-444444444444',
}

/** Commands that a client process runs around what its shell runs: a client that tells by variables, or by its hooks. */
const AROUND: Record<string, (lab: Lab, inner: string) => string> = {
  claude: (_, inner) => `CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=${SESSIONS.claude} sh ${inner}`,
  opencode: (_, inner) => `OPENCODE=1 CORTEXT_OPENCODE_SESSION=ses_inner sh ${inner}`,
  gemini: (lab, inner) => {
    const event = { session_id: SESSIONS.gemini, cwd: lab.root, hook_event_name: 'BeforeAgent', prompt: 'hi' }
    const payload = JSON.stringify({ ...event, transcript_path: join(lab.home, 'g.jsonl') })
    return `echo '${payload}' | CORTEXT_CLIENT_PID=$$ ${CORTEXT} hook gemini\nGEMINI_CLI=1 sh ${inner}`
  },
}
const CORTEXT = `'${process.execPath}' '${BIN}'`

/** Real processes, the outermost first, each a shell script that waits for the next; what is asked runs in the last. */
async function nested(lab: Lab, clients: readonly string[], asked: string) {
  const scripts = clients.map((_, depth) => join(lab.home, `${depth}.sh`))
  const last = join(lab.home, 'last.sh')
  writeFileSync(last, `${CORTEXT} ${asked}\nexit $?\n`)
  clients.forEach((client, depth) => {
    writeFileSync(scripts[depth]!, `${AROUND[client]!(lab, scripts[depth + 1] ?? last)}\nexit $?\n`)
  })
  const child = spawn('sh', [scripts[0]!], { cwd: lab.root, env: lab.env, stdio: ['pipe', 'pipe', 'pipe'] })
  return ended(child)
}

describe('a client in the shell of another one', () => {
  test.each([
    'claude',
    'gemini',
    'claude gemini',
    'gemini claude',
    'claude opencode',
    'opencode claude',
    'claude gemini opencode',
  ])('is the client that a command is for, the last of: %s', async (around) => {
    const clients = around.split(' ')
    const lab = await workspaceLab()
    const run = await nested(lab, clients, 'start plan Inner')
    expect(run.stderr).toBe('')
    expect(run.code).toBe(0)
    const bound = listBindings(localDir(lab.root, lab.environment)).filter(
      ({ segments }) => segments.length > 0,
    )
    expect(bound.map(({ client }) => client)).toEqual([clients.at(-1)])
  })
})
