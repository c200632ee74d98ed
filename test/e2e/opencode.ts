import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { programOf, versionsOf } from './install.ts'
import { type Finished, type Lab, openLab as openPlainLab, type RunOptions } from './lab.ts'
import type { Terminal } from './terminal.ts'

/** A person's machine with one version of OpenCode and a provider that it knows. */
export type OpenCodeLab = Lab & OpenCodeHere

/** One version of OpenCode on a machine. */
export interface OpenCodeHere {
  readonly version: string
  /** `opencode run …args`, what is said on stdin. */
  headless(said: string, args?: readonly string[], options?: RunOptions): Promise<Finished>
  /** `opencode …args` in a terminal, once its prompt is there. */
  interactive(args?: readonly string[]): Promise<Terminal>
  /** Writes a file of the project. */
  put(path: string, content: string): void
}

/** What OpenCode needs in its environment, given the port of the fake model; `config` goes over its settings. */
export const opencodeEnv = (port: number, config: object = {}): Record<string, string> => ({
  OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...settings(port), ...config }),
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  // Nobody here uses the catalogue of models that is built in, and to read it is a third of a start (1.18.33).
  OPENCODE_MODELS_PATH: join(import.meta.dirname, 'no-models.json'),
  // For a program that runs some seconds, the optimising compiler costs more than it saves.
  BUN_JSC_useDFGJIT: '0',
  // Without it, a start with any plugin waits 75 s for a registry that is not there.
  npm_config_offline: 'true',
})

interface OpenCodeOptions {
  version?: string
  /**
   * Whether it starts for the first time, and offline: then each start tries to install what plugins might need, and
   * leaves a lock when it is ended meanwhile.
   */
  isNew?: boolean
}

export async function openLab(
  options: OpenCodeOptions & { env?: Record<string, string>; config?: object } = {},
): Promise<OpenCodeLab> {
  const lab = await openPlainLab((port) => ({ ...opencodeEnv(port, options.config), ...options.env }))
  return { ...lab, ...putOpenCode(lab, options) }
}

/** Puts OpenCode on a machine. */
export function putOpenCode(
  lab: Lab,
  { version = versionsOf('opencode').at(-1)!, isNew = false }: OpenCodeOptions = {},
): OpenCodeHere {
  symlinkSync(programOf('opencode', version), join(lab.bin, 'opencode'))
  // What it has in motion on the screen is drawn sixty times a second.
  const state = join(lab.home, '.local', 'state', 'opencode')
  mkdirSync(state, { recursive: true })
  writeFileSync(join(state, 'kv.json'), JSON.stringify({ animations_enabled: false }))
  if (!isNew)
    for (const folder of [join(lab.home, '.config', 'opencode'), join(lab.project, '.opencode')])
      putInstalled(folder, version)
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(lab.project, path)), { recursive: true })
    writeFileSync(join(lab.project, path), content)
  }
  return {
    version,
    // An argument with a space would reach the model in quotes; stdin arrives as it is.
    async headless(said, args = [], run) {
      const done = await lab.run(['opencode', 'run', ...args], { input: said, ...run })
      // What it was installing when it ended; a next start by hand would wait a minute for it (1.18.33).
      rmSync(join(lab.home, '.local', 'state', 'opencode', 'locks'), { recursive: true, force: true })
      return done
    },
    async interactive(args = []) {
      const terminal = lab.terminal(['opencode', ...args], { cols: 140, rows: 42 })
      await terminal.waitFor(/Ask anything|ctrl\+p commands/, { timeout: 60_000 })
      return terminal
    },
    put,
  }
}

/** What its first start with a network leaves: the package for plugins, of which ours needs nothing, is installed. */
function putInstalled(folder: string, version: string): void {
  const needed = { dependencies: { '@opencode-ai/plugin': version } }
  const lock = { lockfileVersion: 3, requires: true, packages: { '': needed } }
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify(needed))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  writeFileSync(
    join(folder, '.gitignore'),
    ['node_modules', 'package.json', 'package-lock.json', 'bun.lock', '.gitignore'].join('\n'),
  )
}

function settings(port: number) {
  return {
    autoupdate: false,
    share: 'disabled',
    model: 'fake/scripted',
    small_model: 'fake/scripted',
    enabled_providers: ['fake'],
    provider: {
      fake: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Fake',
        options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'dummy' },
        models: {
          scripted: {
            name: 'Scripted',
            tool_call: true,
            reasoning: true,
            limit: { context: 1_000_000, output: 4096 },
          },
        },
      },
    },
  }
}
