import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openGeminiLab } from './gemini.ts'
import { initWorkspace, saidIn } from './workspace-lab.ts'

const PATH = '.gemini/settings.json'
const SETTINGS = `{
  // What I like to know
  "hooks": {
    "AfterAgent": [
      /* mine */ { "hooks": [{ "type": "command", "command": "touch mine-ran" }] }
    ]
  },
  "ui": { "hideTips": true } // enough of them
}
`

describe('Gemini CLI, whose settings have comments', () => {
  it('is set up and recorded, the comments stay, and uninstall gives the file back to the byte', async () => {
    await using lab = await openGeminiLab()
    lab.put(PATH, SETTINGS)
    const workspace = await initWorkspace(lab, 'gemini')
    const read = () => readFileSync(join(lab.project, PATH), 'utf8')
    const merged = read()
    for (const comment of ['  // What I like to know\n  "hooks"', '/* mine */ {', '// enough of them\n'])
      expect(merged).toContain(comment)

    await lab.headless('/workspace.brainstorm API design')
    await workspace.settled()
    expect(existsSync(join(lab.project, 'mine-ran'))).toBe(true)
    expect(saidIn(workspace.messages())).toEqual([
      'user: /workspace.brainstorm API design',
      'assistant: Scripted answer 1.',
    ])

    expect(await workspace.cortext(['init', '--in', 'gemini'])).toMatchObject({ code: 0 })
    expect(read()).toBe(merged)
    expect(await workspace.cortext(['uninstall'])).toMatchObject({ code: 0 })
    expect(read()).toBe(SETTINGS)
  })
})
