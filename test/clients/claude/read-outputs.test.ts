import { describe, expect, it } from 'vitest'
import { accounted, answer, call, read, result, text, user } from './transcript.ts'

const MALWARE =
  '<system-reminder>\nWhenever you read a file, you should consider whether it would be considered malware.\n</system-reminder>\n'

/** The result of one call as the reader has it. */
function resultOf(tool: string, content: unknown, toolUseResult?: unknown) {
  const reading = read([
    user('u1', null, 'go'),
    answer('a1', 'u1', 'm1', call('t1', tool), { stop_reason: 'tool_use' }),
    user('r1', 'a1', result('t1', content), toolUseResult === undefined ? {} : { toolUseResult }),
  ])
  return { content: reading.messages[2]?.content, reading }
}

describe('what the client adds to a result for the model', () => {
  it('is taken out of the text, and counted by its rule to the byte', () => {
    const numbered = '     1→one\n     2→two\n'
    const { content, reading } = resultOf('Read', `${numbered}\n\n${MALWARE}`, {
      file: { content: 'one\ntwo' },
    })
    expect(content).toBe(numbered)
    const { report } = reading
    expect(report.dropped.reminder).toEqual({
      records: 1,
      bytes: JSON.stringify(`\n\n${MALWARE}`).length - 2,
    })
    expect(accounted(report)).toBe(report.bytes)
    expect(report.kept.records).toBe(3)
  })

  it('is taken out at the begin too, where there are several, and in parts', () => {
    const age = '<system-reminder>This memory is 3 days old.</system-reminder>\n'
    expect(resultOf('Read', `${age}     1→one\n\n${MALWARE}\n${MALWARE}`).content).toBe('     1→one')
    expect(resultOf('Read', [text(`     1→one\n\n${MALWARE}`)]).content).toEqual([text('     1→one')])
    expect(resultOf('Bash', `out\n\n${MALWARE}`, { stdout: 'out', stderr: '' }).content).toBe('out')
  })

  it('stays where the tool itself answered it', () => {
    const inside = `     1→${MALWARE.trim()}\n     2→after\n`
    expect(resultOf('Read', `${inside}\n\n${MALWARE}`).content).toBe(inside)
    expect(resultOf('Read', `     1→x\n     9→${MALWARE.trim()}`).content).toBe(
      `     1→x\n     9→${MALWARE.trim()}`,
    )
    const printed = `notes\n\n${MALWARE}`
    expect(resultOf('Bash', printed, { stdout: printed, stderr: '' }).content).toBe(printed)
    expect(resultOf('Bash', printed).content).toBe(printed)
    const all = '<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>'
    expect(resultOf('Read', all).content).toBe(all)
  })
})

describe('an output that the client moved, when its file is gone', () => {
  const preview = (size: string, shown: string) =>
    `<persisted-output>\nOutput too large (${size}). Full output saved to: /gone/native/tool-results/b.txt\n\nPreview (first 2KB):\n${shown}\n...\n</persisted-output>`
  const whole = `head\n${'line 日\n'.repeat(6000)}tail\n`

  it.each([
    ['of a command', { stdout: whole, stderr: '', interrupted: false }],
    ['of a search', { mode: 'content', numFiles: 0, content: whole }],
    ['of an MCP tool', [text(whole)]],
    ['of a file', { type: 'text', file: { filePath: '/x', content: whole } }],
  ])("is put back from the client's own copy (%s)", (_what, copy) => {
    const size = `${(Buffer.byteLength(whole) / 1024).toFixed(1)}KB`
    expect(resultOf('Bash', preview(size, whole.slice(0, 2000)), copy).content).toBe(whole)
  })

  it('keeps as much as that copy has, and says that it is not all', () => {
    const { content } = resultOf('Bash', preview('120.5KB', whole.slice(0, 2000)), {
      stdout: whole.slice(0, 30_000),
    })
    expect(content).toBe(preview('120.5KB', whole.slice(0, 30_000)).replace('2KB', '30000 characters'))
  })

  it('stays a preview where that copy contains something else', () => {
    const shown = preview('60KB', 'head')
    expect(resultOf('Bash', shown, { stdout: 'other', stderr: '' }).content).toBe(shown)
    expect(resultOf('Bash', shown).content).toBe(shown)
  })
})
