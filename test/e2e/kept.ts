import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lab } from './lab.ts'
import type { LabWorkspace } from './workspace-lab.ts'

/** A conversation that was held in Claude Code, by its transcript. */
export async function keepFromClaude(
  lab: Lab & LabWorkspace,
  title: string,
  turns: [string, string][],
  type = 'brainstorm',
): Promise<void> {
  const sessionId = `11111111-2222-4333-8444-${type.padEnd(12, '0').slice(0, 12)}`
  const spoken = turns.flatMap(([prompt, answer], n) => [
    { type: 'user', message: { role: 'user', content: prompt } },
    {
      type: 'assistant',
      message: {
        id: `msg_${n}`,
        role: 'assistant',
        model: 'claude-x',
        content: [{ type: 'text', text: answer }],
        stop_reason: 'end_turn',
      },
    },
  ])
  const records = spoken.map((one, n) => ({
    parentUuid: n === 0 ? null : `${sessionId}-${n - 1}`,
    ...one,
    uuid: `${sessionId}-${n}`,
    timestamp: new Date(Date.UTC(2026, 10, 20, 10, 0, n)).toISOString(),
    cwd: lab.project,
    sessionId,
  }))
  const file = join(lab.folder, `${sessionId}.jsonl`)
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const done = await lab.cortext(['import', 'claude', '--file', file, '--type', type, '--title', title])
  if (done.code !== 0) throw new Error(`import failed: ${done.stderr}`)
}
