import { describe, expect, test } from 'vitest'
import { historyOf } from '../../../src/context/select-strategy.ts'
import { filesChanged } from '../../../src/context/state/files-changed.ts'
import { shellFiles } from '../../../src/context/state/shell-files.ts'
import type { Message } from '../../../src/session/schema.ts'
import { said } from '../../session/conversations.ts'
import { TOOLS } from '../tools.ts'

let calls = 0
const did = (client: string, name: string, args: unknown, more: Partial<Message> = {}): Message[] => {
  const id = `t${calls++}`
  return [
    said(`${id}a`, { role: 'assistant', content: '', client, tool_calls: [{ id, name, arguments: args }] }),
    said(`${id}r`, { role: 'tool', content: 'ok', tool_call_id: id, ...more }),
  ]
}
const changedBy = (...messages: Message[][]) =>
  filesChanged(historyOf({ messages: messages.flat(), project: 'p', tools: TOOLS })).map(
    ({ path, action }) => `${path} ${action}`,
  )

describe('a shell command changes', () => {
  test.each<[string, string[]]>([
    ["cat > a.md <<'EOF'\n# A\nEOF", ['a.md']],
    ["cat <<'EOF' > .specify/a.md\n# A\nEOF", ['.specify/a.md']],
    ["cd web && cat > src/a.ts << 'EOF'\nx > y\nEOF\nnpm test", ['web/src/a.ts']],
    ['cat > "a b.txt" <<EOF\nx\nEOF', ['a b.txt']],
    ["cat > a <<'A'\n1\nA\ncat >> b <<-B\n2\n\tB", ['a', 'b']],
    ["tee -a a.md <<'E' > /dev/null\nx\nE", ['a.md']],
    ['rm -f a.txt && git rm b/c.ts', ['-a.txt', '-b/c.ts']],
    ['cd web && rm a.txt', ['-web/a.txt']],
    ['rm "D:/my app/a.go" \'b c\' "$X" "$Y"/d e*', ['-D:/my app/a.go', '-b c']],
  ])('%j: %j', (command, files) => {
    const found = shellFiles(command, {})
    expect(found.map(({ path, isRemoved }) => `${isRemoved ? '-' : ''}${path}`)).toEqual(files)
  })

  test.each([
    ['a name that is not known', 'cat > $OUT <<EOF\nx\nEOF'],
    ['what is written only if something fails', '[ -f a ] || cat > a <<EOF\nx\nEOF'],
    ['what another program reads', 'cat <<EOF | psql\nx\nEOF'],
    ['the output of another program', 'python - <<EOF > a.txt\nx\nEOF'],
    ['a device', 'cat > /dev/null <<EOF\nx\nEOF'],
    ['the text of a here-document', "cat <<'EOF'\nrm a.txt\ncat > b <<X\nEOF"],
    ['a file that only leaves the index', 'git rm --cached a.txt'],
    ['a folder that is not known', 'cd $DIR && cat > a <<EOF\nx\nEOF'],
  ])('no file by %s', (_, command) => {
    expect(shellFiles(command, {})).toEqual([])
  })

  test('a file of which nobody knows whether it existed: it is written', () => {
    const write = { command: "cat > a.md <<'E'\nx\nE" }
    expect(changedBy(did('codex', 'shell_command', write))).toEqual(['a.md written'])
    expect(changedBy(did('claude', 'Read', { file_path: 'a.md' }), did('claude', 'Bash', write))).toEqual([
      'a.md modified',
    ])
    expect(changedBy(did('claude', 'Bash', write, { is_error: true }))).toEqual([])
  })

  test('a long command does not take long', () => {
    const begun = Date.now()
    shellFiles(`${'rm a;'.repeat(100_000)}cat <<E\n${'\n'.repeat(100_000)}`, {})
    expect(Date.now() - begun).toBeLessThan(2000)
  })
})

describe('a patch changes files', () => {
  const patch = '*** Begin Patch\n*** Add File: a.py\n+x\n*** Update File: b.py\n@@\n-x\n+y\n*** End Patch'

  test('also where a shell command or a bare text contains it', () => {
    const changed = ['a.py created', 'b.py modified']
    const script = `apply_patch << 'PATCH'\n${patch}\nPATCH`
    expect(changedBy(did('codex', 'shell', { command: ['bash', '-lc', script] }))).toEqual(changed)
    expect(changedBy(did('codex', 'shell', { command: ['apply_patch', patch] }))).toEqual(changed)
    expect(changedBy(did('copilot', 'apply_patch', patch))).toEqual(changed)
    expect(changedBy(did('copilot', 'apply_patch', 'no patch'))).toEqual([])
  })
})
