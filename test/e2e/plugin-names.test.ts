import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import * as claude from './claude.ts'
import { openGeminiLab } from './gemini.ts'
import { allText } from './model-request.ts'
import * as opencode from './opencode.ts'

/** What becomes of a command named `workspace.probe` in a plugin of each client (docs/decisions.md). */

function put(folder: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

it('a command of a plugin of Claude Code is typed with the name of the plugin before it', async () => {
  await using lab = await claude.openLab()
  const plugin = join(lab.folder, 'plugin')
  put(plugin, {
    '.claude-plugin/plugin.json': JSON.stringify({ name: 'cortext', version: '1.0.0', description: 'x' }),
    'commands/workspace.probe.md': '---\ndescription: x\n---\nTHE BODY: $ARGUMENTS',
  })
  await lab.headless(['/workspace.probe one', '--plugin-dir', plugin])
  await lab.headless(['/cortext:workspace.probe two', '--plugin-dir', plugin])
  expect(lab.model.requests.map((one) => allText(one).match(/THE BODY: \w+/)?.[0])).toEqual([
    undefined,
    'THE BODY: two',
  ])
})

it('a command of an extension of Gemini CLI keeps its name, and the extension may allow no calls', async () => {
  await using lab = await openGeminiLab()
  const extension = join(lab.folder, 'extension')
  put(extension, {
    'gemini-extension.json': JSON.stringify({ name: 'cortext', version: '1.0.0' }),
    'commands/workspace.probe.toml': 'description = "x"\nprompt = "THE BODY: {{args}}"\n',
    'policies/cortext.toml':
      '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "cortext agent"\ndecision = "allow"\npriority = 1\n',
  })
  const linked = await lab.run(['gemini', 'extensions', 'link', extension, '--consent'])
  expect(linked.stdout + linked.stderr).toContain('attempted to contribute an ALLOW rule')
  await lab.headless('/workspace.probe one')
  expect(allText(lab.model.requests.at(-1)!)).toContain('THE BODY: one')
})

it('a plugin of OpenCode can bring a command of any name', async () => {
  await using lab = await opencode.openLab()
  const command =
    '{ ...config.command, "workspace.probe": { description: "x", template: "THE BODY: $ARGUMENTS" } }'
  put(lab.home, {
    '.config/opencode/plugins/probe.js': `export default { id: "probe", server: async () => ({ config: async (config) => { config.command = ${command} } }) }\n`,
  })
  await lab.headless('one', ['--command', 'workspace.probe'])
  expect(allText(lab.model.requests.at(-1)!)).toContain('THE BODY: one')
})
