import type { Client } from '../../../clients/contract/client.ts'
import { clientList, clientOf, importOnly, readerOf } from '../../../clients/index.ts'
import type { Environment } from '../../../io/environment.ts'
import { statInside } from '../../../io/inside.ts'
import { realFolder } from '../../../io/real-folder.ts'
import { type CountNotSaved, countNotSaved } from '../../../journeys/not-saved/sessions.ts'
import { addType } from '../../../journeys/setup/add-type.ts'
import { eject } from '../../../journeys/setup/eject.ts'
import { type InstallReport, install } from '../../../journeys/setup/install.ts'
import { type FoundAtPlace, takeFromPersonal } from '../../../journeys/syncing/choosing/personal.ts'
import { placeToMention, suggestionInWords } from '../../../journeys/syncing/choosing/suggested.ts'
import { countOf } from '../../../text/count-of.ts'
import { oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import type { Visibility } from '../../../workspace/config.ts'
import { openWorkspace } from '../../../workspace/open.ts'
import type { FileChange } from '../../../workspace/pack/manifest.ts'
import { personalIds } from '../../../workspace/pack/personal.ts'
import { unrecordedTop } from '../../../workspace/root.ts'
import { select } from '../../ask.ts'
import { noteLeftOut } from '../../first-step.ts'
import { note, sayJson, sayWrapped } from '../../print.ts'
import { withProgress } from '../../progress/index.ts'
import { TOOLS } from '../mcp/definitions.ts'
import { changeLines, changesInShort, placesToCommit } from './changes.ts'
import { initPersonal } from './personal.ts'
import { firstCommand, installedOrAll, whatIsAsked, whatRunsUnasked } from './words.ts'

interface InitOptions {
  in?: string[]
  shared?: boolean
  private?: boolean
  addType?: string
  eject?: string
  personal?: boolean
  mcp?: boolean
  skill?: boolean
  verbose?: boolean
  json?: boolean
}

export async function init(environment: Environment, dir: string | undefined, options: InitOptions) {
  if (options.addType !== undefined) return addOwnType(environment, options.addType, options)
  if (options.eject !== undefined) return ejectFrom(environment, options.eject, options)
  if (options.personal) return initPersonal(environment, options)
  const visibility: Visibility | undefined = options.shared
    ? 'shared'
    : options.private
      ? 'private'
      : undefined
  const clients = options.in === undefined ? installedOrAll(environment) : options.in.map(clientOf)
  const mcp = options.mcp ? { tokens: await costOfMcp(clients) } : undefined
  const report = await install(environment, {
    clients,
    ...(dir === undefined ? {} : { dir }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(options.mcp === undefined ? {} : { mcp: options.mcp }),
    ...(options.skill ? { skill: true } : {}),
    ...(environment.interactive ? { ask: askVisibility } : {}),
  })
  const there = { ...environment, cwd: report.root }
  const found = await withProgress('Looking at your place', () => takeFromPersonal(openWorkspace(there)))
  const suggested = placeToMention(openWorkspace(there))
  const ids = [...clients, ...Object.values(importOnly)].map(({ id }) => id)
  const notSaved = countNotSaved(openWorkspace(there)).filter(({ client }) => ids.includes(client))
  if (options.json)
    return sayJson({
      ...report,
      not_saved: notSaved,
      ...(mcp === undefined ? {} : { mcp }),
      ...(found === undefined ? {} : { place: found }),
      ...(suggested === undefined ? {} : { suggested_place: suggested.address }),
    })
  sayWrapped(
    ...whatWasDone(report, clients, options.verbose),
    whatIsAtPlace(found),
    suggested === undefined ? [] : suggestionInWords(suggested),
    whatWasBefore(notSaved),
    whatIsNext(report, environment, clients),
  )
  await noteLeftOut(openWorkspace({ ...environment, cwd: report.root }))
}

/** What was written, what it means, and what the clients will ask the person. */
export function whatWasDone(report: InstallReport, clients: readonly Client[], verbose?: boolean): string[] {
  return [
    `Workspace: ${oneLine(report.root)}`,
    '',
    ...(verbose ? changeLines(report.changes) : changesInShort(report.changes)),
    '',
    ...whatItMeans(report, clients),
    '',
    ...whatIsAsked(questions(report, clients)),
  ]
}

/**
 * Returns how many tokens the tools cost. Prints this number before any file is written, and which of the clients get no
 * server.
 */
async function costOfMcp(clients: readonly Client[]): Promise<number> {
  const { o200k } = await import('../../../context/tokens/index.ts')
  const tokens = (await o200k()).count(JSON.stringify(TOOLS))
  note(
    `The tools of \`cortext mcp\` cost up to ${tokens} tokens (o200k) in every session of a client. To remove the tools: cortext init --no-mcp`,
  )
  const without = clients.filter(({ mcpEntry }) => mcpEntry === undefined).map(({ name }) => name)
  if (without.length > 0)
    note(`No server for ${without.join(', ')}. What there is instead: cortext init --skill`)
  return tokens
}

function addOwnType(environment: Environment, name: string, options: InitOptions) {
  const report = addType(openWorkspace(environment), name, clientList(), {
    personal: personalIds(environment, clientList()),
  })
  if (options.json) return sayJson(report)
  sayWrapped(`Type: ${name}, command ${report.type.command}`, changeLines(report.changes))
}

function ejectFrom(environment: Environment, name: string, options: InitOptions) {
  const changes = eject(openWorkspace(environment), name)
  if (options.json) return sayJson({ changes })
  sayWrapped('From the package, for you to change:', changeLines(changes), '', AFTER_EDIT)
}

const AFTER_EDIT = 'Edit them, then run cortext init: it brings the change to your clients.'

function askVisibility(): Promise<Visibility> {
  return select<Visibility>('This repository has a remote. Who may see the conversations?', [
    { name: 'private: only I do; git does not see the workspace', value: 'private' },
    { name: 'shared: git tracks them, and a stop commits them', value: 'shared' },
  ])
}

function whatItMeans(report: InstallReport, clients: readonly Client[]): string[] {
  const { visibility, git, redact, back, gone, running } = report
  const seen =
    visibility === 'private'
      ? `Private: ${git ? 'your repository gets' : 'a repository that you make here gets'} nothing of it; earlier versions are in one of its own. To share it: cortext init --shared`
      : git
        ? 'Shared: git tracks the conversations, and a stop commits them. To keep all to yourself: cortext init --private'
        : notInGit(report)
  return [
    ...(back.length > 0
      ? [
          `Restored from this machine's copies, with your edits: ${countOf(back.length, 'file')} of .workspace/`,
        ]
      : []),
    ...(gone.length > 0
      ? [`${countOf(gone.length, 'conversation')} of this folder can come back too: cortext doctor --fix`]
      : []),
    seen,
    redact
      ? 'What is said is stored as plain text; known kinds of secrets are replaced.'
      : 'What is said is stored as plain text, with every secret in it: redact is off in .workspace/config.json.',
    ...whatRunsUnasked(clients),
    ...servedByPersonal(report),
    ...running.map(
      ({ client, pid }) =>
        `${clientOf(client).name} already runs here (process ${pid}) and has not loaded this setup: it knows no /workspace commands, and nothing is recorded. End it and start it again. To keep what was said in it: ${paste`cortext import ${client} --all`}`,
    ),
  ]
}

function notInGit({ refused: found }: InstallReport): string {
  const what = 'conversations are saved as files, and committed to no repository of yours.'
  return found === undefined
    ? `Not in git: ${what} To have each stop commit them: git init && cortext init`
    : `Not in git, as ${found.refused}: ${what} To change that: ${found.fix}`
}

/** Names the clients that have no files here, because the person has set them up for all workspaces. */
function servedByPersonal({ personal }: InstallReport): string[] {
  if (personal.length === 0) return []
  const names = personal.map((id) => clientOf(id).name).join(', ')
  return [
    `No files for ${names} are needed here: you have set ${personal.length === 1 ? 'it' : 'them'} up for all your workspaces.`,
  ]
}

function whatWasBefore(notSaved: readonly CountNotSaved[]): string[] {
  if (notSaved.length === 0) return []
  const all = notSaved.reduce((sum, { sessions }) => sum + sessions, 0)
  const names = notSaved.map(({ client }) => readerOf(client).name).join(', ')
  const [are, them] = all === 1 ? ['is', 'it'] : ['are', 'them']
  return [
    `${countOf(all, 'session')} of ${names} from before ${are} not saved. To save ${them}: cortext import --all`,
  ]
}

function whatIsAtPlace(found: FoundAtPlace | undefined): string[] {
  if (found === undefined) return []
  const place = oneLine(found.address)
  if ('problem' in found)
    return [
      `Not taken from ${place}, the place of your workspaces: ${found.problem}. To try it again: ${found.fix}`,
    ]
  const { taken } = found
  if (taken === undefined)
    return [
      found.byItself
        ? `The conversations go to ${place}, the place of your workspaces, by themselves. To keep them out: cortext sync --stop`
        : `To send the conversations to ${place}, the place of your workspaces: cortext sync`,
    ]
  return [
    taken.length === 0
      ? `This project is at ${place}, the place of your workspaces, and nothing there is new here.`
      : `${countOf(taken.length, 'conversation')} of this project ${taken.length === 1 ? 'was' : 'were'} at ${place}, the place of your workspaces: cortext list`,
  ]
}

/** What the clients ask before they use what is new in the workspace. */
function questions({ changes }: InstallReport, clients: readonly Client[]) {
  return clients.flatMap(({ pack, settings }) => {
    const isNew = (isOwn: (path: string) => boolean, ...states: FileChange['state'][]) =>
      changes.some(({ path, state }) => isOwn(path) && states.includes(state))
    return [
      isNew((path) => pack.folders.some((folder) => path.startsWith(`${folder}/`)), 'made')
        ? pack.trustQuestion
        : undefined,
      isNew((path) => path === settings?.file, 'made', 'updated') ? settings?.trustQuestion : undefined,
    ]
  })
}

function whatIsNext(
  { visibility, git, changes, root, unseen }: InstallReport,
  { cwd }: Environment,
  clients: readonly Client[],
): string[] {
  // Git refuses to add a place that is gone and that it never had.
  const isThere = (place: string) => statInside(root, place) !== undefined
  const places = visibility === 'shared' && git ? placesToCommit(changes, unseen).filter(isThere) : []
  const add = places.map((place) => paste`${place}`).join(' ')
  const there = root === realFolder(cwd) ? 'git' : paste`git -C ${root}`
  return [
    ...(places.length === 0
      ? []
      : [
          `Commit this, so that every clone is a workspace, in which each person runs \`cortext init\` once: ${there} add ${add} && ${there} commit -m "Set up cortext"`,
        ]),
    ...belowTop(root),
    `Then, in your AI client: ${firstCommand(clients)}`,
  ]
}

/** Says that clients which are started further up in the repository are not recorded. */
function belowTop(root: string): string[] {
  const top = unrecordedTop(root)
  if (top === undefined) return []
  return [
    paste`Clients that you start in ${top} are not recorded: start them in this workspace. To make one there too: cd ${top} && cortext init`,
  ]
}
