import type { NativeSession } from '../../clients/contract/sessions.ts'
import { readerList, readerOf } from '../../clients/index.ts'
import { bytesOfTranscript } from '../../conversation/transcript-bytes.ts'
import { CortextError } from '../../errors.ts'
import { isTalk, textOf } from '../../session/live-path.ts'
import { paste } from '../../text/paste.ts'
import { bytesOfSession, rawOf } from './named-file.ts'
import { otherProgram } from './other-files.ts'

/**
 * Says why a file in which its client has said nothing is refused: another program or another client has written it, or
 * nothing is in it. The readers of all other clients are tried.
 */
export function nothingSaid(session: NativeSession): CortextError {
  const { client: id, transcript: file } = session
  const { name } = readerOf(id)
  const whole = bytesOfSession(session)
  const raw = rawOf(session, whole)
  const program = otherProgram(bytesOfTranscript(session).toString('utf8'))
  if (program !== undefined)
    return new CortextError('refused', `${file} is ${program}, which cortext does not read`, {
      fix: 'one message a line, as append reads them: cortext append --help',
    })
  const other = readerList().find((client) => {
    if (client.id === id) return false
    const exported = client.reading.fromExport?.(whole.toString('utf8'))
    const bytes = exported === undefined ? raw.bytes : Buffer.from(exported)
    return client.reading.read({ ...raw, bytes }).messages.some((one) => isTalk(one) && textOf(one) !== '')
  })
  return other === undefined
    ? new CortextError('refused', `${file} contains nothing that was said in ${name}`, {
        fix: paste`look at it: head -c 300 ${file}`,
      })
    : new CortextError('refused', `${file} is a transcript of ${other.name}, not of ${name}`, {
        fix: paste`cortext import ${other.id} --file ${file}`,
      })
}
