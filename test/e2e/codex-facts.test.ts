import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CodexLab, codexShell, openCodexLab } from './codex.ts'
import { allText } from './model-request.ts'

/** What docs/clients/codex.md says and nothing of ours does: why there is no plugin. */
describe('a plugin of Codex CLI in the form of Claude Code', () => {
  it('gives its skills, but lets no call out of the sandbox', async () => {
    await using lab = await openCodexLab()
    await installPlugin(lab)
    lab.model.when('touch it', codexShell('touch .git/y'), 'Done.')
    await lab.headless('touch it')
    expect(existsSync(join(lab.project, '.git/y'))).toBe(false)
    lab.model.when('by its name', 'Done too.')
    await lab.headless('$cortext:resume by its name')
    expect(allText(lab.model.requests.at(-1)!)).toContain('The body of the skill.')
  })
})

async function installPlugin(lab: CodexLab): Promise<void> {
  const put = (path: string, content: string) => {
    const file = join(lab.home, 'marketplace', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  const plugin = { name: 'cortext', version: '1.0.0', description: 'A plugin.' }
  put(
    '.claude-plugin/marketplace.json',
    JSON.stringify({ name: 'here', owner: { name: 'me' }, plugins: [{ ...plugin, source: './plugin' }] }),
  )
  put('plugin/.claude-plugin/plugin.json', JSON.stringify(plugin))
  put(
    'plugin/skills/resume/SKILL.md',
    '---\nname: resume\ndescription: A skill.\n---\n\nThe body of the skill.\n',
  )
  for (const folder of ['rules', '.codex/rules', '.claude-plugin/rules'])
    put(`plugin/${folder}/cortext.rules`, 'prefix_rule(pattern = ["touch"], decision = "allow")\n')
  for (const args of [
    ['marketplace', 'add', join(lab.home, 'marketplace')],
    ['add', 'cortext@here'],
  ])
    expect(await lab.run(['codex', 'plugin', ...args])).toMatchObject({ code: 0 })
}
