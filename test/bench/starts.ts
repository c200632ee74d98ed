import { setTimeout as sleep } from 'node:timers/promises'
import { type ClaudeHere, claudeEnv, putClaude } from '../e2e/claude.ts'
import { AS_SHIPPED, type GeminiHere, geminiEnv, putGemini } from '../e2e/gemini.ts'
import { openLab } from '../e2e/lab.ts'
import { type OpenCodeHere, opencodeEnv, putOpenCode } from '../e2e/opencode.ts'
import type { Terminal } from '../e2e/terminal.ts'

const CLIENTS = ['claude', 'gemini', 'opencode'] as const
type ClientId = (typeof CLIENTS)[number]
type MachineLab = Awaited<ReturnType<typeof openLab>>

/** The registry from which OpenCode installs something for plugins: can be reached, cannot, or has done its part. */
const WAYS = ['online', 'offline', 'installed'] as const
type Way = (typeof WAYS)[number]

/** A machine with one client, and a project with or without cortext. */
interface Machine {
  lab: MachineLab
  here: ClaudeHere | GeminiHere | OpenCodeHere
}

/** What clients.mjs runs: a table on stdout. */
void main()

async function main(): Promise<void> {
  const words = process.argv.slice(2)
  const chosen = CLIENTS.filter((id) => words.includes(id) || !words.some((word) => !word.startsWith('--')))
  const runs = Number(words.find((word) => word.startsWith('--runs='))?.slice('--runs='.length) ?? 5)
  const way = WAYS.find((one) => words.includes(`--${one}`)) ?? 'installed'
  say('client', 'measure', 'without', 'with', 'ratio')
  for (const id of chosen) {
    const [without, withCortext] = [await machineOf(id, way), await machineOf(id, way)]
    const { code, stderr } = await withCortext.lab.run(['cortext', 'init', '--in', id])
    if (code !== 0) throw new Error(`cortext init: ${stderr}`)
    for (const [measures, once] of [
      [['first request, headless', 'processor time, headless'], headless],
      [['prompt, terminal'], prompt],
    ] as const) {
      const times = await inTurns(runs, [() => once(id, without), () => once(id, withCortext)])
      for (const [n, measure] of measures.entries()) {
        const [a, b] = times.map((rounds) => median(rounds.map((round) => round[n]!))) as [number, number]
        say(
          id,
          measure + (way === 'installed' ? '' : `, ${way}`),
          `${a.toFixed(0)} ms`,
          `${b.toFixed(0)} ms`,
          (b / a).toFixed(2),
        )
      }
    }
    await Promise.all([without.lab.close(), withCortext.lab.close()])
  }
}

async function machineOf(id: ClientId, way: Way): Promise<Machine> {
  const lab = await openLab(
    (port) => {
      if (id === 'claude') return claudeEnv(port)
      if (id === 'gemini') return { ...geminiEnv(port), ...AS_SHIPPED }
      // What makes the tests cheaper is not what is measured.
      const {
        npm_config_offline: _,
        OPENCODE_MODELS_PATH: __,
        BUN_JSC_useDFGJIT: ___,
        ...env
      } = opencodeEnv(port)
      return env
    },
    { online: way === 'online' },
  )
  if (id === 'opencode') return { lab, here: putOpenCode(lab, { isNew: way !== 'installed' }) }
  return { lab, here: id === 'claude' ? putClaude(lab) : putGemini(lab) }
}

/**
 * From the start of the process to the moment in which the model is asked for the first time, and the processor time
 * of the whole run, which a busy machine does not change as much.
 */
async function headless(id: ClientId, { lab }: Machine): Promise<number[]> {
  const before = lab.model.requests.length
  const command = { claude: 'claude -p hello', gemini: 'gemini -p hello', opencode: 'opencode run' }
  const began = performance.now()
  const input = id === 'opencode' ? 'hello' : ''
  const done = lab.run(['bash', '-c', `time -p ${command[id]}`], { input, timeout: 180_000 })
  while (lab.model.requests.length === before && performance.now() - began < 180_000) await sleep(2)
  const took = performance.now() - began
  const { stderr } = await done
  const seconds = [...stderr.matchAll(/^(?:user|sys) ([\d.]+)$/gm)].map(([, said]) => Number(said))
  return [took, 1000 * seconds.reduce((sum, one) => sum + one, 0)]
}

/** From the start of the process to the moment in which it shows its prompt; to within 10 ms. */
async function prompt(id: ClientId, { lab }: Machine): Promise<number[]> {
  const shown = { claude: /^─+\n❯/m, gemini: 'Type your message', opencode: 'Ask anything' }
  const began = performance.now()
  const terminal = lab.terminal([id], { cols: 140, rows: 42 })
  await terminal.waitFor(shown[id], { timeout: 180_000, every: 5 })
  const took = performance.now() - began
  await leave(terminal)
  return [took]
}

async function leave(terminal: Terminal): Promise<void> {
  await terminal.submit('/exit')
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
