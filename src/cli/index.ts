import { Command, CommanderError } from 'commander'
import { CortextError } from '../errors.ts'
import { currentPlace } from '../io/place.ts'
import { reportError } from './report-error.ts'
import { addVerbs } from './verbs.ts'

declare const __VERSION__: string

void main()

/** Runs one verb. The only place that sets the exit code (DESIGN: 0, 1, 2, 70, 130, or the client's own). */
async function main(): Promise<void> {
  process.stdout.on('error', onBrokenPipe)
  const program = new Command('cortext')
    .description(
      'Keeps every conversation with your AI command-line clients in your own git workspace, and resumes it in any of them.',
    )
    .version(__VERSION__, '-V, --version')
    .exitOverride()
    .enablePositionalOptions()
    .configureHelp({ sortSubcommands: false })
  addVerbs(program, currentPlace())
  try {
    await program.parseAsync()
  } catch (error) {
    process.exitCode = exitCodeOf(error)
  }
}

function exitCodeOf(error: unknown): number {
  // commander has printed its own message by then; help and version "fail" with code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  reportError(error, process.argv.includes('--json'))
  if (!(error instanceof CortextError)) return 70
  if (error.code === 'cancelled') return 130
  return error.code === 'usage' ? 2 : 1
}

/** `cortext list | head` is no failure. */
function onBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exitCode = 0
}
