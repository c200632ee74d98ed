import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codex } from '../../src/clients/codex/index.ts'
import { hookHash } from '../../src/clients/codex/trust.ts'
import { clientList } from '../../src/clients/index.ts'
import type { Finding } from '../../src/journeys/doctor/finding.ts'
import type { Diagnosis } from '../../src/journeys/doctor/index.ts'
import { FIXTURES, filesBelow } from '../clients/fixtures.ts'
import { putProgram } from './stand-ins.ts'
import { BIN, type Lab, type LabOptions, type Run, workspaceLab } from './workspace-lab.ts'

/**
 * A lab with cortext and all clients on PATH. The clients are stand-ins that print their version. The home has what they
 * write when the person trusts the workspace, from the folder `home` of their fixtures.
 */
export interface DoctorLab extends Lab {
  /** First on PATH. */
  bin: string
  doctor: (...args: string[]) => Promise<Examined>
  /** Writes a file below the home or the project. */
  put: (path: string, content: string) => void
}

interface Examined extends Run {
  diagnosis: Diagnosis & { problems: number; notes: number; done?: string[]; failed?: string[] }
  problems: Finding[]
  notes: Finding[]
}

/** What each client prints as its version: the newest that was tested, and some with words around it. */
export const VERSIONS: Record<string, string> = {
  ...Object.fromEntries(clientList().map(({ id, tested }) => [id, tested.at(-1)!])),
  claude: '2.1.330 (Claude Code)',
  codex: 'codex-cli 0.169.0',
}

export async function doctorLab(options: LabOptions = {}): Promise<DoctorLab> {
  // `init` sets up all clients when it finds none.
  const lab = await workspaceLab(options)
  const bin = join(lab.home, 'bin')
  for (const [name, version] of Object.entries(VERSIONS)) putProgram(bin, name, `echo '${version}'`)
  putProgram(bin, 'cortext', `exec '${process.execPath}' '${BIN}' "$@"`)
  const env = { PATH: `${bin}:/usr/bin:/bin` }
  const cortext: Lab['cortext'] = (args, more = {}) =>
    lab.cortext(args, { ...more, env: { ...env, ...more.env } })
  const put = (path: string, content: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  for (const { id } of clientList()) {
    const files = join(FIXTURES, id, 'home')
    for (const path of filesBelow(files))
      put(join(lab.home, path), readFileSync(join(files, path), 'utf8').replaceAll('<root>', lab.root))
  }
  put(join(lab.home, '.codex', 'config.toml'), trusting(lab.root))
  return {
    ...lab,
    environment: { ...lab.environment, env: { ...lab.env, ...env } },
    cortext,
    bin,
    put,
    async doctor(...args) {
      const run = await cortext(['doctor', '--json', ...args])
      const diagnosis = JSON.parse(run.stdout) as Examined['diagnosis']
      const findings = diagnosis.sections.flatMap((section) => section.findings)
      const of = (severity: Finding['severity']) => findings.filter((one) => one.severity === severity)
      return { ...run, diagnosis, problems: of('problem'), notes: of('note') }
    },
  }
}

/** The settings that Codex CLI writes when the person trusts the folder and our hooks in it. */
function trusting(root: string): string {
  const hooks = codex.settings!.add({}).hooks as Record<
    string,
    { matcher?: string; hooks: Record<string, unknown>[] }[]
  >
  const tables = Object.entries(hooks).map(([name, [group]]) => {
    const event = name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase()
    const key = JSON.stringify(`${root}/.codex/hooks.json:${event}:0:0`)
    return `[hooks.state.${key}]\ntrusted_hash = "${hookHash(event, group!.matcher, group!.hooks[0]!)}"\n`
  })
  return [`[projects.${JSON.stringify(root)}]\ntrust_level = "trusted"\n`, ...tables].join('\n')
}

export function codes(findings: readonly Finding[]): string[] {
  return findings.map(({ code }) => code)
}

/**
 * Content, mode, size and modification time of everything below a folder, by absolute path. What another process removes
 * meanwhile is left out.
 */
export function snapshot(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .flatMap((path) => {
        const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
        if (stats === undefined) return []
        const content = stats.isFile() ? readFileSync(path, 'latin1') : ''
        return [[path, `${stats.mode} ${stats.mtimeNs} ${stats.size} ${content}`]]
      }),
  )
}
