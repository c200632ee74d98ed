import type { Client } from '../../clients/contract/client.ts'
import { clientList, clientOf } from '../../clients/index.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/run.ts'
import { addType } from '../../journeys/setup/add-type.ts'
import { type InstallReport, install } from '../../journeys/setup/install.ts'
import { paste } from '../../text/paste.ts'
import type { Visibility } from '../../workspace/config.ts'
import { openWorkspace } from '../../workspace/open.ts'
import type { FileChange } from '../../workspace/pack/file-change.ts'
import { select } from '../ask.ts'
import { note, say, sayJson } from '../print.ts'

interface InitOptions {
  in?: string[]
  shared?: boolean
  private?: boolean
  addType?: string
  mcp?: boolean
  skill?: boolean
  json?: boolean
}

export async function init(environment: Environment, dir: string | undefined, options: InitOptions) {
  if (options.addType !== undefined) return addOwnType(environment, options.addType, options)
  if (options.shared === true && options.private === true)
    throw new CortextError('usage', '--shared and --private exclude each other', {
      fix: 'cortext init --private',
    })
  const visibility: Visibility | undefined =
    options.shared === true ? 'shared' : options.private === true ? 'private' : undefined
  const mcp = options.mcp === true ? { tokens: await costOfMcp() } : undefined
  const report = await install(environment, {
    clients: options.in === undefined ? installedOrAll(environment) : options.in.map(clientOf),
    ...(dir === undefined ? {} : { dir }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(options.mcp === undefined ? {} : { mcp: options.mcp }),
    ...(options.skill === true ? { skill: true } : {}),
    ...(environment.interactive ? { ask: askVisibility } : {}),
  })
  if (options.json === true) return sayJson({ ...report, ...(mcp === undefined ? {} : { mcp }) })
  say(`Workspace: ${report.root}`, '', ...changeLines(report.changes), '', ...whatItMeans(report))
}

/** The person sees the price before anything is written. */
async function costOfMcp(): Promise<number> {
  const { costOfTools } = await import('./mcp/cost.ts')
  const tokens = await costOfTools()
  note(
    `The tools of \`cortext mcp\` cost up to ${tokens} tokens (o200k) in every session of a client. To take them back: cortext init --no-mcp`,
  )
  return tokens
}

/** Clients that are not installed get no files. If none is installed, the workspace is set up for all of them. */
function installedOrAll(environment: Environment): Client[] {
  const installed = clientList().filter((client) => findProgram(client.id, environment.env) !== undefined)
  return installed.length > 0 ? installed : clientList()
}

function addOwnType(environment: Environment, name: string, options: InitOptions) {
  const report = addType(openWorkspace(environment), name, clientList())
  if (options.json === true) return sayJson(report)
  say(`Type: ${name}, command ${report.type.command}`, ...changeLines(report.changes))
}

function askVisibility(): Promise<Visibility> {
  return select<Visibility>('This repository has a remote. Who shall see the conversations?', [
    { name: 'private: only I do; git does not see the workspace', value: 'private' },
    { name: 'shared: git tracks them, and a stop commits them', value: 'shared' },
  ])
}

/** Lists what was written or kept; all unchanged files together are one number. */
export function changeLines(changes: readonly FileChange[]): string[] {
  const told = changes.filter((change) => change.state !== 'unchanged')
  const same = changes.length - told.length
  return [
    ...told.map(
      ({ state, path, note }) => `  ${state.padEnd(8)} ${path}${note === undefined ? '' : `  (${note})`}`,
    ),
    ...(same > 0 ? [`  ${same} files were up to date`] : []),
  ]
}

function whatItMeans({ visibility, git, redact, back, gone, running }: InstallReport): string[] {
  const seen =
    visibility === 'private'
      ? 'Private: git does not see the workspace, nothing is committed. To share it: cortext init --shared'
      : git
        ? 'Shared: git tracks the conversations, and a stop commits them. To keep them to yourself: cortext init --private'
        : 'Not in git: conversations are saved as files, nothing is committed.'
  return [
    ...(back.length > 0
      ? [`Back from this machine's copies, as you had them: ${back.length} files of .workspace/`]
      : []),
    ...(gone.length > 0
      ? [`${gone.length} conversations that were here can come back too: cortext doctor --fix`]
      : []),
    seen,
    redact
      ? 'What is said is stored as plain text; secrets are replaced before that.'
      : 'What is said is stored as plain text, with every secret in it: redact is off in .workspace/config.json.',
    'Your agents may run `cortext agent` unasked: it reads conversations and records their own. More: SECURITY.md',
    ...running.map(
      ({ client, pid }) =>
        `${clientOf(client).name} runs here already (process ${pid}) and knows nothing of this: its /workspace commands are plain text, and nothing is recorded. End it and start it again. To keep what was said in it: ${paste`cortext import ${client} --all`}`,
    ),
    'Next, in your AI client: /workspace.brainstorm <topic>',
  ]
}
