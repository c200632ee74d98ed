import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { deleteConversation } from '../../journeys/editing/delete.ts'
import { findOne } from '../../journeys/finding/find.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { openWorkspace } from '../../workspace/open.ts'
import { confirm } from '../ask.ts'
import { say, sayJson } from '../print.ts'
import { settleAfterGit } from '../settle.ts'

export async function deleteVerb(
  environment: Environment,
  query: string,
  options: { yes?: boolean; json?: boolean },
): Promise<void> {
  const ws = openWorkspace(environment)
  await settleAfterGit(ws)
  const found = await findOne(ws, query, 'delete')
  if (options.yes !== true && !environment.interactive)
    throw new CortextError('refused', `deleting "${oneLine(found.title)}" needs a yes`, {
      fix: paste`cortext delete ${found.id} --yes`,
    })
  const sure =
    options.yes === true ||
    (await confirm(
      `Delete "${oneLine(found.title)}" (${found.messages} messages, ${found.path}) and what this machine holds of it?`,
    ))
  if (!sure) throw new CortextError('cancelled', 'nothing was deleted')
  deleteConversation(ws, found.path)
  if (options.json === true) return sayJson({ deleted: found.path })
  say(`Deleted: ${found.path}`, 'What git has committed of it stays in the history of the repository.')
}
