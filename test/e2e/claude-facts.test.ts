import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openLab } from './claude.ts'
import { CLAUDE_VERSIONS } from './install.ts'
import { toolResults } from './model-request.ts'
import { bash } from './reply.ts'

describe.each(CLAUDE_VERSIONS)('Claude Code %s, what cortext leans on', (version) => {
  it('tells a tool call which session it runs in', async () => {
    await using lab = await openLab({ version })
    lab.model.when('go on', bash('echo "in $CLAUDE_CODE_SESSION_ID"'), 'All done.')
    const done = await lab.headless(['--allowedTools=Bash', '--', 'go on'])
    expect(done).toEqual({ code: 0, stdout: 'All done.\n', stderr: '' })
    const [transcript] = lab.transcripts()
    expect(toolResults(lab.model.requests[1]!)).toEqual([`in ${basename(transcript!, '.jsonl')}`])
  })
})
