import { readFileSync } from 'node:fs'
import { hookLanguages } from './clients/hook-languages.ts'
import { currentEnvironment } from './io/environment.ts'
import { appendRegular, readText } from './io/regular-file.ts'
import { localFiles } from './store/layout.ts'
import { localDir } from './workspace/local-folder.ts'
import { findRoot } from './workspace/root.ts'

/**
 * What cortext says under a node that is too old for it. The build writes this bundle and bin.cjs in the syntax of Node
 * 12, and bin.ts loads it in place of everything else. A verb prints an error and exits with 1. A hook tells the person
 * once a session, as its client shows it, and writes to the log, from which `doctor` reads it later.
 */
declare const __NODE__: string

const WHY = `cortext needs Node ${__NODE__} or newer, and node is ${process.versions.node} here (${process.execPath})`
const FIX = 'nvm use 22, or put a newer node first on PATH'

/** The events at which clients show the person what a hook says. */
const SHOWN = ['command', 'turn-start']

const [verb, client = ''] = process.argv.slice(2)
if (verb === 'hook') tellInClient()
else if (verb !== '__complete') tellInTerminal()

function tellInTerminal(): void {
  process.exitCode = 1
  if (!process.argv.includes('--json')) process.stderr.write(`error: ${WHY}\nfix: ${FIX}\n`)
  else process.stdout.write(`${JSON.stringify({ error: { code: 'refused', message: WHY, fix: FIX } })}\n`)
}

/** Never fails, so that the client goes on: with an old node, nothing that is called here is sure to work. */
function tellInClient(): void {
  try {
    const language = hookLanguages[client as keyof typeof hookLanguages]
    const event = language.parse(JSON.parse(readFileSync(0, 'utf8')), process.env)
    const root = findRoot(event.cwd)
    if (root === undefined || event.nativeId === '' || !SHOWN.includes(event.kind)) return
    if (!noteFirst(root, `hook ${client}: session ${event.nativeId} is not recorded: ${WHY}`)) return
    const answer = language.messageFor(event, `Not recorded: ${WHY}. To change that: ${FIX}`)
    const { stdout, stderr = '', exitCode } = language.printed?.(answer) ?? { stdout: answer }
    process.stdout.write(stdout)
    process.stderr.write(stderr)
    process.exitCode = exitCode
  } catch {
    // The payload is not one of this client.
  }
}

/** Writes a line to the workspace's log. Returns false if the log has this line already. */
function noteFirst(root: string, line: string): boolean {
  try {
    // Nothing else is written, because the checks before that need a newer node.
    const { log } = localFiles(localDir(root, currentEnvironment(), { looks: true }))
    if (readText(log)?.includes(line)) return false
    appendRegular(log, `${new Date().toISOString()} ${line}\n`)
  } catch {
    // The person is told again at the next turn.
  }
  return true
}
