import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { realFolder } from '../../io/real-folder.ts'
import { readRegular } from '../../io/regular-file.ts'
import { fieldsOf, textOf } from '../shared/transcript/fields.ts'
import { bufferOf, eachLine } from '../shared/transcript/lines.ts'
import { movedOutput, resultText } from './read/parts.ts'

/**
 * The files in the folder for temporary files into which the client moved long outputs of a session (1.0.102). A file of
 * another folder is left out: only its name in a result says that it belongs to the session.
 */
export function movedOutputs(transcript: string): { path: string; name: string }[] {
  const bytes = bytesOf(transcript)
  if (bytes === undefined || !bufferOf(bytes).includes('-copilot-tool-output-')) return []
  const files = new Map<string, string>()
  for (const { content } of eachLine(bytes)) {
    if (content.kind !== 'record' || content.record.type !== 'tool.execution_complete') continue
    const text = resultText(fieldsOf(content.record.data))
    const name = movedOutput(text)
    const folder = dirname(/Saved to: ([^\n]*)/.exec(textOf(text))?.[1] ?? '')
    if (name !== undefined && realFolder(folder) === realFolder(tmpdir())) files.set(name, join(folder, name))
  }
  return [...files].filter(([, path]) => existsSync(path)).map(([name, path]) => ({ path, name }))
}

function bytesOf(transcript: string): Buffer | undefined {
  try {
    return readRegular(transcript)
  } catch {
    // Nobody may read it. Its caller reports that.
    return undefined
  }
}
