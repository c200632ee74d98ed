import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workspaceLab } from '../../helpers/workspace-lab.ts'

test.each([[], ['--mcp']])(
  'uninstall removes the settings file that init made, with the fields of the client: %j',
  async (...more) => {
    const lab = await workspaceLab({ init: 'none' })
    await lab.cortext(['init', '--in', 'qwen', ...more])
    const file = join(lab.root, '.qwen', 'settings.json')
    expect(existsSync(file)).toBe(true)
    await lab.cortext(['uninstall'])
    expect(existsSync(file)).toBe(false)
  },
)
