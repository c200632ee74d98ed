import type { Client } from '../clients/contract/client.ts'
import { clientList } from '../clients/index.ts'
import { CortextError } from '../errors.ts'
import type { Environment } from '../io/environment.ts'
import { environmentOf, findInAncestors, folderOf } from '../io/process.ts'
import { paste } from '../text/paste.ts'
import { listRoots } from '../workspace/everywhere.ts'
import { localDir } from '../workspace/local-folder.ts'
import { findRoot } from '../workspace/root.ts'

/**
 * Checks that an agent calls cortext in the workspace of its own session. The calls that an agent may make without
 * asking run outside the sandbox of its client. Without this check, an agent could make a repository whose
 * configuration names a program, and have cortext run this program.
 *
 * The workspace of a session is the one in which its client was started. If the client was started outside every
 * workspace, or the system does not show where, the agent may use the workspaces that a person has used on this machine
 * (workspace/everywhere.ts). Outside a client nothing is checked. Throws `refused`.
 */
export function checkAgentsWorkspace(environment: Environment): void {
  const client = clientAround(environment)
  const root = findRoot(environment.cwd)
  if (client === undefined || root === undefined) return
  const isSame = (other: string) =>
    other === root || localOf(other, environment) === localOf(root, environment)
  const own = foldersOf(environment, client).flatMap((folder) => findRoot(folder) ?? [])
  if (own.some(isSame) || (own.length === 0 && listRoots(environment).some(isSame))) return
  throw own.length > 0
    ? new CortextError('refused', `${client.name} works in ${own[0]}, and ${root} is another workspace`, {
        fix: paste`call it in ${own[0]!}; a person may use both, each in its folder`,
      })
    : new CortextError(
        'refused',
        `${client.name} was not started in ${root}, and no person has used cortext there`,
        {
          fix: paste`in a terminal of your own: cd ${root} && cortext init`,
        },
      )
}

/**
 * Returns the client whose agent runs this process. Of two nested clients, this is the inner one, which has set its
 * variables last.
 */
export function clientAround({ env }: Environment): Client | undefined {
  const around = clientList().filter((client) => marksOf(client, env) !== '')
  if (around.length < 2) return around[0]
  const inner = findInAncestors(process.pid, (pid) => {
    const above = environmentOf(pid)
    return above && around.find((client) => marksOf(client, above) !== marksOf(client, env))
  })
  return inner ?? around[0]
}

function marksOf({ launch }: Client, env: Environment['env']): string {
  return (launch.shellVariables ?? []).map((name) => env[name] ?? '').join('')
}

/** Returns the folders in which the client process and its session began, if they are known. */
function foldersOf(environment: Environment, client: Client): string[] {
  const { env } = environment
  const marks = marksOf(client, env)
  const started = findInAncestors(process.pid, (pid) => {
    const above = environmentOf(pid)
    return above === undefined || marksOf(client, above) === marks ? undefined : folderOf(pid)
  })
  const nativeId = client.sessions.currentSession?.(env)
  const begun = nativeId && client.sessions.folderOf?.(environment, nativeId)
  return [started, begun].filter((folder) => typeof folder === 'string' && folder !== '') as string[]
}

/** Returns the local folder of a workspace. All worktrees of a repository have the same one. */
function localOf(root: string, environment: Environment): string {
  return localDir(root, environment, { looks: true })
}
