import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type FakeOpenAi, openFakeOpenAi } from './fake-openai.ts'
import { OPENCODE_VERSIONS, opencodeBinary } from './install.ts'
import { type Finished, type Lab, openLab as openPlainLab, type RunOptions } from './lab.ts'
import type { Terminal } from './terminal.ts'

/** A person's machine with one version of OpenCode and a provider that it knows. */
export interface OpenCodeLab extends Lab {
  readonly version: string
  readonly model: FakeOpenAi
  /** `opencode run …args`, what is said on stdin. */
  headless(said: string, args?: readonly string[], options?: RunOptions): Promise<Finished>
  /** `opencode …args` in a terminal, once its prompt is there. */
  interactive(args?: readonly string[]): Promise<Terminal>
  /** Writes a file of the project. */
  put(path: string, content: string): void
}

export async function openLab(
  options: { version?: string; env?: Record<string, string>; config?: object } = {},
): Promise<OpenCodeLab> {
  const version = options.version ?? OPENCODE_VERSIONS.at(-1)!
  const lab = await openPlainLab({
    fake: openFakeOpenAi,
    env: (port) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...settings(port), ...options.config }),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      // Without it, a start with any plugin waits 75 s for a registry that is not there.
      npm_config_offline: 'true',
      ...options.env,
    }),
  })
  symlinkSync(opencodeBinary(version), join(lab.bin, 'opencode'))
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(lab.project, path)), { recursive: true })
    writeFileSync(join(lab.project, path), content)
  }
  return {
    ...lab,
    version,
    // An argument with a space would reach the model in quotes; stdin arrives as it is.
    headless: (said, args = [], run) => lab.run(['opencode', 'run', ...args], { input: said, ...run }),
    async interactive(args = []) {
      const terminal = lab.terminal(['opencode', ...args], { cols: 140, rows: 42 })
      await terminal.waitFor(/Ask anything|ctrl\+p commands/, { timeout: 150_000 })
      return terminal
    },
    put,
  }
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
