import { expect } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import type { Lab, Run } from '../helpers/workspace-lab.ts'

export const SAID = ['user: /workspace.brainstorm Topic', 'assistant: answer to /workspace.brainstorm Topic']

export async function conversation(lab: Lab) {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'Topic')
  const { path } = await lab.json<{ path: string }>(['start', 'brainstorm', '--json'], { env: claude.env })
  return { claude, path }
}

export async function stopped(lab: Lab) {
  const one = await conversation(lab)
  await one.claude.command('workspace.stop-conversation', '', () =>
    lab.cortext(['stop', '--json'], { env: one.claude.env }),
  )
  return one
}

/** The run failed as expected: exit 1, one JSON document, this code, a message that names the path, a fix. */
export function failed(run: Run, code: string, path: string): void {
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 1, stderr: '' })
  const { error } = JSON.parse(run.stdout)
  expect(error.code).toBe(code)
  expect(error.message).toContain(path)
  expect(error.fix).toEqual(expect.any(String))
}
