import { join } from 'node:path'
import type { Client } from '../../clients/contract/client.ts'
import { clientsWithHooks } from '../../clients/own-hooks.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import { countOf } from '../../text/count-of.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { installSkill, renderCommands } from '../../workspace/pack/index.ts'
import { type FileChange, type Manifest, readManifest } from '../../workspace/pack/manifest.ts'
import { installPersonal, type PersonalSetUp, personalSetUps } from '../../workspace/pack/personal.ts'
import { planSettings } from '../../workspace/pack/settings.ts'
import { findGitTop, unrecordedTop } from '../../workspace/root.ts'
import { applyVisibility, hiddenPaths } from '../../workspace/visibility.ts'
import { FIXABLE, type Finding, note, ok, problem, type Remedy, some } from './finding.ts'

/**
 * Compares the files of the workspace with what `init` would write now. Writes nothing. Throws `corrupt`, `refused` and
 * `unsafe-path`.
 */
export function setupFindings(
  ws: Workspace,
  clients: readonly Client[],
  installed: readonly Client[],
): Finding[] {
  const hooked = clientsWithHooks(ws.root)
  if (clients.length === 0 && hooked.length > 0)
    return [
      problem(
        'not-set-up',
        `the hooks of ${hooked.join(', ')} are in force, and this machine's notes on the set-up are gone`,
        'cortext init',
      ),
    ]
  if (clients.length === 0)
    return [problem('not-set-up', 'no client is set up here: nothing is recorded', 'cortext init')]
  // The dry runs below change this manifest, and nobody writes it.
  const manifest = readManifest(ws.root, ws.local)
  const pack = installSkill(ws.root, manifest, { dry: true })
  const setUps = personalSetUps(ws.environment, clients)
  const byClient = clients.flatMap((client) => {
    const personal = setUps.find((one) => one.client === client)
    return [
      ...(personal === undefined
        ? hereFindings(ws, client, manifest)
        : besideFindings(ws, personal, manifest)),
      ...(installed.includes(client) ? healthOf(ws, client) : []),
    ]
  })
  const { visibility } = ws.config
  const git = applyVisibility(ws.root, visibility, hiddenPaths(ws.root, manifest), {
    dry: true,
    program: ws.environment.program,
  })
  return [
    ...(pack.length > 0 ? compared('Workspace', pack, 'the skill') : []),
    ...compared('Git', git, 'our lines in its files'),
    ...byClient,
    ...notSetUp(clients, installed),
  ]
}

/** Compares the files of this workspace for a client. */
function hereFindings(ws: Workspace, client: Client, manifest: Manifest): Finding[] {
  const changes = [
    ...renderCommands(ws.root, [client], manifest, undefined, { dry: true }),
    ...settingsChange(ws, client),
  ]
  return compared(client.name, changes, thingsOf(client))
}

/** Says that the person's own settings serve this workspace, and what is left of files that were here before. */
function besideFindings(ws: Workspace, { client, root }: PersonalSetUp, manifest: Manifest): Finding[] {
  const { name, id, settings } = client
  const noted = Object.keys(manifest.rendered[id] ?? {})
  const changes = renderCommands(ws.root, [client], manifest, undefined, {
    dry: true,
    personal: new Set([id]),
  })
  const left = [
    ...changes.filter(({ state, path }) => state === 'removed' || (state === 'kept' && noted.includes(path))),
    ...(settings !== undefined && manifest.settings[settings.file] !== undefined ? [settings.file] : []),
  ]
  if (left.length === 0)
    return [ok('personal', `${name}: set up for all your workspaces (${root}), so this one needs no files`)]
  return [
    note(
      'set-up-twice',
      `${name}: set up in this workspace and for all of them (${root}); here it is recorded by the hooks of this workspace`,
      paste`to have only the personal set-up here: cortext init --in ${id}`,
    ),
  ]
}

/** Compares the personal set-ups with what `init --personal` would write now. Throws like `setupFindings`. */
export function personalFindings(environment: Environment, client: Client): Finding[] {
  return personalSetUps(environment, [client]).flatMap((setUp) =>
    compared(
      `${client.name}, for all workspaces`,
      installPersonal(setUp, { dry: true }).map((one) => ({ ...one, path: join(setUp.root, one.path) })),
      thingsOf(client),
      'cortext init --personal',
    ),
  )
}

function thingsOf({ settings }: Client): string {
  return settings === undefined ? 'commands and plugin' : 'commands and hooks'
}

/** Reports that redaction is off. Another person may have turned it off in a shared workspace. */
export function redactionFindings({ config }: Workspace): Finding[] {
  if (config.redact) return []
  const fix = 'set "redact": true in .workspace/config.json'
  return [problem('not-redacted', 'redact is off: secrets stay in what is saved', fix)]
}

/**
 * What the client's own check finds. Called only for installed clients: a shared workspace may also be set up for
 * clients that only other people have.
 */
function healthOf({ environment, root }: Workspace, client: Client): Finding[] {
  const found = client.health?.findings(environment, root) ?? []
  return found.map((one) => ({ ...one, message: `${client.name}: ${one.message}` }))
}

function settingsChange(ws: Workspace, client: Client): FileChange[] {
  const { id, settings: own } = client
  if (own === undefined) return []
  const plan = planSettings(ws.root, id, own)
  const state = plan.before === undefined ? 'made' : plan.after === plan.before ? 'unchanged' : 'updated'
  return [{ path: plan.path, state }]
}

function compared(
  what: string,
  changes: readonly FileChange[],
  things: string,
  fix: Remedy = FIXABLE,
): Finding[] {
  const paths = (...states: FileChange['state'][]) =>
    changes.filter(({ state }) => states.includes(state)).map(({ path }) => path)
  const [missing, outdated] = [paths('made'), paths('updated', 'removed')]
  const edited = changes.filter(({ state }) => state === 'kept')
  return [
    ...(missing.length > 0 ? [problem('missing', `${what}: missing: ${some(missing)}`, fix)] : []),
    ...(outdated.length > 0
      ? [problem('outdated', `${what}: not as this version writes it: ${some(outdated)}`, fix)]
      : []),
    ...(missing.length + outdated.length === 0 ? [ok('current', `${what}: ${things} are in place`)] : []),
    ...edited.map(({ path, note: how }) =>
      note('edited', `${what}: ${path} stays as you have edited it`, how),
    ),
  ]
}

function notSetUp(clients: readonly Client[], installed: readonly Client[]): Finding[] {
  return installed
    .filter((client) => !clients.includes(client))
    .map(({ id, name }) =>
      note('not-set-up', `${name} is installed, and not set up here`, paste`cortext init --in ${id}`),
    )
}

/** Reports the workspace's root, its visibility and the number of its types, and each wrong entry of the registry. */
export function workspaceFindings(ws: Workspace): Finding[] {
  const seen =
    ws.config.visibility === 'shared' && findGitTop(ws.root) === undefined
      ? 'not in git'
      : ws.config.visibility
  return [
    ok('workspace', `${ws.root}, ${seen}, ${countOf(ws.types.size, 'type')} of conversation`),
    ...ws.wrongTypes.map((line) => problem('wrong-type', line, 'mend the entry in an editor')),
  ]
}

/**
 * Reports that the working folder is below the root. Some clients look for hooks and commands only in the folder in
 * which they are started. Also reports that the root is below the top of its repository.
 */
export function placeFindings({ root, environment }: Workspace): Finding[] {
  const top = unrecordedTop(root)
  const above =
    top === undefined
      ? []
      : [
          note(
            'below-top',
            `clients that are started in ${top} are not recorded, because the workspace is below it`,
            paste`start them here: cd ${root}`,
          ),
        ]
  if (realFolder(environment.cwd) === root) return above
  const message = `this is ${environment.cwd}: some clients look for hooks only in the folder in which they are started; if you start one here, its talk may be recorded only when a cortext command runs`
  return [...above, note('below-root', message, paste`start it there: cd ${root}`)]
}

/** Makes a finding of the error that has stopped a check, so that the other checks still run. */
export function inTheWay(error: unknown, root: string): Finding {
  if (!(error instanceof CortextError)) throw error
  return problem(error.code, error.message, error.fix ?? paste`ls -la ${join(root, '.workspace')}`)
}
