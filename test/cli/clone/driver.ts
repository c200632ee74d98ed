import { Command, CommanderError } from 'commander'
import { reportError } from '../../../src/cli/report-error.ts'
import { addVerbs } from '../../../src/cli/verbs.ts'
import { CortextError } from '../../../src/errors.ts'
import { openStore } from '../../../src/library/index.ts'

/** One verb to run, asked for by another process: the start of a process for each would take most of the time. */
export interface Asked {
  args: string[]
  cwd: string
  home: string
  env: Record<string, string>
}

/** As a run of the program. */
export interface Told {
  code: number
  stdout: string
  stderr: string
}

/** The library's `append`, since a verb would read the standard input of this process. */
const APPEND = 'library-append'

let said = { stdout: '', stderr: '' }
for (const stream of ['stdout', 'stderr'] as const)
  process[stream].write = ((text: string | Uint8Array) => {
    said[stream] += text.toString()
    return true
  }) as typeof process.stdout.write

process.on('message', async (asked: Asked) => {
  said = { stdout: '', stderr: '' }
  process.exitCode = undefined
  const code = await run(asked)
  process.send!({ code, ...said } satisfies Told)
})

async function run({ args, cwd, home, env }: Asked): Promise<number> {
  try {
    process.chdir(cwd)
    const environment = { cwd, home, env, now: () => new Date(), interactive: false }
    if (args[0] === APPEND) {
      const store = await openStore(cwd)
      await store.conversation('cli:fuzz').append([{ role: 'user', content: 'once more' }])
    } else {
      const program = new Command('cortext').exitOverride().enablePositionalOptions()
      program.configureOutput({ outputError: () => undefined })
      addVerbs(program, environment)
      await program.parseAsync(args, { from: 'user' })
    }
    return Number(process.exitCode ?? 0)
  } catch (error) {
    reportError(error, args.includes('--json'))
    if (error instanceof CommanderError) return 2
    return error instanceof CortextError ? 1 : 70
  } finally {
    process.exitCode = undefined
  }
}
