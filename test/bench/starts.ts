import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { claudeEnv, putClaude } from '../e2e/claude.ts'
import { codexEnv, PLACE, putCodex } from '../e2e/codex.ts'
import { copilotEnv, putCopilot } from '../e2e/copilot.ts'
import { AS_SHIPPED, geminiEnv, putGemini } from '../e2e/gemini.ts'
import { type Lab, openLab } from '../e2e/lab.ts'
import { opencodeEnv, putOpenCode } from '../e2e/opencode.ts'
import { piEnv, putPi } from '../e2e/pi.ts'
import { putQwen, qwenEnv } from '../e2e/qwen.ts'
import type { Terminal } from '../e2e/terminal.ts'

/** The registry from which OpenCode installs something for plugins: can be reached, cannot, or has done its part. */
const WAYS = ['online', 'offline', 'installed'] as const
type Way = (typeof WAYS)[number]

interface Measured {
  env(port: number): Record<string, string>
  /** Puts the client there. */
  put(lab: Lab, way: Way): unknown
  /** What the person does after `cortext init`. */
  afterInit?(put: unknown): Promise<void>
  /** The folder in which the lab has to be. Absent: any. */
  place?: string
  /** A prompt without a terminal, and what it reads. */
  headless: string
  input?: string
  /** What its screen shows when it can be typed to. */
  shown: string | RegExp
}

/** A client that is not here is not measured. */
const MEASURED: { [id: string]: Measured } = {
  claude: { env: claudeEnv, put: (lab) => putClaude(lab), headless: 'claude -p hello', shown: /^─+\n❯/m },
  opencode: {
    env(port) {
      // What makes the tests cheaper is not what is measured.
      const {
        npm_config_offline: _,
        OPENCODE_MODELS_PATH: __,
        BUN_JSC_useDFGJIT: ___,
        ...env
      } = opencodeEnv(port)
      return env
    },
    put: (lab, way) => putOpenCode(lab, { isNew: way !== 'installed' }),
    headless: 'opencode run',
    input: 'hello',
    shown: 'Ask anything',
  },
  gemini: {
    env: (port) => ({ ...geminiEnv(port), ...AS_SHIPPED }),
    put: (lab) => putGemini(lab),
    headless: 'gemini -p hello',
    shown: 'Type your message',
  },
  codex: {
    env: codexEnv,
    put: (lab) => putCodex(lab),
    afterInit: (put) => (put as ReturnType<typeof putCodex>).trustHooks(),
    place: PLACE,
    headless: 'codex exec hello',
    shown: /^› /m,
  },
  pi: { env: piEnv, put: (lab) => putPi(lab), headless: 'pi -p hello', shown: /scripted/ },
  qwen: { env: qwenEnv, put: (lab) => putQwen(lab), headless: 'qwen -p hello', shown: 'Type your message' },
  copilot: {
    env: copilotEnv,
    put: (lab) => putCopilot(lab),
    headless: 'copilot --silent -p hello',
    shown: '/ commands',
  },
}

/** What clients.mjs runs: a table on stdout. */
void main()

async function main(): Promise<void> {
  const words = process.argv.slice(2)
  const option = (name: string) => words.find((word) => word.startsWith(`--${name}=`))?.split('=')[1]
  const named = words.filter((word) => !word.startsWith('--'))
  const runs = Number(option('runs') ?? 5)
  const way = WAYS.find((one) => words.includes(`--${one}`)) ?? 'installed'
  const before = option('before')
  const checkouts = before === undefined ? [undefined, '.'] : [undefined, before, '.']
  say(
    'client',
    'measure',
    ...['without', 'before', 'ratio', 'with', 'ratio'].filter((_, n) => before || (n !== 1 && n !== 2)),
  )
  for (const id of Object.keys(MEASURED).filter((one) => named.length === 0 || named.includes(one))) {
    const labs: Lab[] = []
    for (const checkout of checkouts) labs.push(await machineOf(id, way, checkout))
    for (const [measures, once] of [
      [['first request, headless', 'processor time, headless'], headless],
      [['prompt, terminal'], prompt],
    ] as const) {
      const rounds = await inTurns(
        runs,
        labs.map((lab) => () => once(id, lab)),
      )
      for (const [n, measure] of measures.entries()) {
        const [without = 0, ...others] = rounds.map((times) => median(times.map((took) => took[n]!)))
        say(
          id,
          measure + (way === 'installed' ? '' : `, ${way}`),
          `${without.toFixed(0)} ms`,
          ...others.flatMap((took) => [`${took.toFixed(0)} ms`, (took / without).toFixed(2)]),
        )
      }
    }
    await Promise.all(labs.map((lab) => lab.close()))
  }
}

/** A machine with one client, and a project that the program of a built checkout has set up, or none. */
async function machineOf(id: string, way: Way, checkout: string | undefined): Promise<Lab> {
  const { env, put, afterInit, place } = MEASURED[id]!
  const lab = await openLab(env, { online: way === 'online', ...(place === undefined ? {} : { place }) })
  const here = put(lab, way)
  if (checkout === undefined) return lab
  const program = resolve(checkout, 'dist/bin.cjs')
  const line = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`
  writeFileSync(join(lab.bin, 'cortext'), line, { mode: 0o755 })
  const { code, stderr } = await lab.run(['cortext', 'init', '--in', id])
  if (code !== 0) throw new Error(`cortext init: ${stderr}`)
  await afterInit?.(here)
  return lab
}

/**
 * From the start of the process to the moment in which the model is asked for the first time, and the processor time
 * of the whole run, which a busy machine does not change as much.
 */
async function headless(id: string, lab: Lab): Promise<number[]> {
  const before = lab.model.requests.length
  const began = performance.now()
  const { headless, input = '' } = MEASURED[id]!
  const done = lab.run(['bash', '-c', `time -p ${headless}`], { input, timeout: 180_000 })
  while (lab.model.requests.length === before && performance.now() - began < 180_000) await sleep(2)
  const took = performance.now() - began
  const { stderr } = await done
  const seconds = [...stderr.matchAll(/^(?:user|sys) ([\d.]+)$/gm)].map(([, said]) => Number(said))
  return [took, 1000 * seconds.reduce((sum, one) => sum + one, 0)]
}

/** From the start of the process to the moment in which it shows its prompt; to within 10 ms. */
async function prompt(id: string, lab: Lab): Promise<number[]> {
  const began = performance.now()
  const terminal = lab.terminal([id], { cols: 140, rows: 42 })
  await terminal.waitFor(MEASURED[id]!.shown, { timeout: 180_000, every: 5 })
  const took = performance.now() - began
  await leave(terminal)
  return [took]
}

async function leave(terminal: Terminal): Promise<void> {
  await terminal.submit('/quit')
  await terminal.waitForExit({ timeout: 15_000 }).catch(() => terminal.press('Enter'))
  terminal.close()
}

/** One of each in turn; the first round does not count. */
async function inTurns(runs: number, what: readonly (() => Promise<number[]>)[]): Promise<number[][][]> {
  const times: number[][][] = what.map(() => [])
  for (let round = 0; round <= runs; round++)
    for (const [index, once] of what.entries()) {
      const took = await once()
      if (round > 0) times[index]!.push(took)
    }
  return times
}

function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN
}

function say(...[client, measure, ...numbers]: string[]): void {
  process.stdout.write(
    `${client!.padEnd(10)} ${measure!.padEnd(36)} ${numbers.map((one) => one.padStart(10)).join('')}\n`,
  )
}
