import { below, folderOf } from '../../session/shell/shell-call.ts'

/** A file that a shell command changes. */
interface ShellChange {
  path: string
  /** Whether the command removes the file. Otherwise it writes the file. */
  isRemoved: boolean
}

/**
 * Returns the files that a command plainly removes (`rm -f a`, `git rm a`) or writes with a here-document (`cat > a
 * <<EOF`, `tee a <<EOF`), in order. Skips names with variables or patterns. `given`: the arguments of the call.
 */
export function shellFiles(command: string, given: unknown): ShellChange[] {
  const plain = command
    .replace(HEREDOC, (_, before, _quote, _end, after) => `${before}${HERE}${after}`)
    .slice(0, READ_LENGTH)
  return [...plain.matchAll(STAGE)].flatMap(({ index, 1: stage = '' }) => {
    const changes = stage.includes(HERE) ? writtenIn(stage) : removedIn(stage)
    const folder = changes.length === 0 ? undefined : folderOf(plain.slice(0, index), given)
    return folder === undefined
      ? []
      : changes.map(({ path, isRemoved }) => ({ path: below(folder, path), isRemoved }))
  })
}

/** Number of characters that are read, without the texts of here-documents. */
const READ_LENGTH = 20_000
/** Stands for a here-document without its text. */
const HERE = ' \u0000 '
const HEREDOC = /(^|[^<])<<-?\s*(['"]?)(\w+)\2([^\n]*)[\s\S]*?(?:\n[ \t]*\3(?=[ \t\r]*(?:\n|$))|$)/g
/** A stage of a command, unless it runs only if another stage fails. */
const STAGE = /(?:^|&&|[;\n{(])((?:[^;&|\n]|>&\d)*)/g

function removedIn(stage: string): ShellChange[] {
  const [, words = ''] = /^\s*(?:git\s+)?rm\s+(?!.*--cached\b)(.*)$/.exec(stage) ?? []
  return [...words.matchAll(WORD)].flatMap(([word, ...quoted]) => {
    const path = quoted.find(Boolean) ?? (/^[\w.@%+~/\\:][\w.@%+~/\\:-]*$/.test(word) ? word : undefined)
    return path === undefined ? [] : [{ path, isRemoved: true }]
  })
}

function writtenIn(stage: string): ShellChange[] {
  const path = WRITES.map((form) => form.exec(stage)?.slice(1).find(Boolean)).find(Boolean)
  return path === undefined || path.startsWith('/dev/') ? [] : [{ path, isRemoved: false }]
}

const WORD = /"([^"$`*?\n]+)"(?!\S)|'([^'\n]+)'(?!\S)|\S+/g
const NAME = String.raw`(?:"([^"$\x60*?\n]+)"|'([^'\n]+)'|([\w.@%+~/\\:-]+))`
const AROUND = String.raw`[^>\n]*`
const WRITES = [
  new RegExp(String.raw`^\s*(?:sudo )?cat\b${AROUND}(?<!\d)>>?\s*${NAME}${AROUND}$`),
  new RegExp(String.raw`^\s*(?:sudo )?tee\s+(?:-a\s+)?${NAME}\s*(?:\x00|>|$)`),
]
