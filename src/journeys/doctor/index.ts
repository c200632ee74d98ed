import type { Client } from '../../clients/contract/client.ts'
import { clientList } from '../../clients/index.ts'
import { unfinished } from '../../conversation/unfinished.ts'
import { goneConversations } from '../../conversation/worktrees.ts'
import type { Environment } from '../../io/environment.ts'
import { surveyBindings } from '../../store/machine/list-bindings.ts'
import { scanConversations } from '../../store/scan.ts'
import { openWorkspace, removedHint, type Workspace } from '../../workspace/open.ts'
import { findRoot } from '../../workspace/root.ts'
import { setUpClients } from '../setup/set-up-clients.ts'
import { clientFindings, missingFindings, type Probe, probe } from './clients.ts'
import { conversationFindings, growthFindings } from './conversations.ts'
import { type Finding, note, problem, type Section } from './finding.ts'
import { foreignState } from './foreign-state.ts'
import { gitFindings } from './git.ts'
import { programFindings } from './program.ts'
import { recordingFindings } from './recording.ts'
import { serverFindings } from './servers.ts'
import { notSavedFindings, sessionFindings } from './sessions.ts'
import {
  inTheWay,
  personalFindings,
  placeFindings,
  redactionFindings,
  setupFindings,
  workspaceFindings,
} from './setup.ts'
import { syncFindings } from './sync.ts'

export interface Diagnosis {
  /** The root of the workspace at or above the working folder. Absent when there is none. */
  root?: string
  sections: Section[]
}

const PATIENCE_MS = 10_000

/**
 * Runs all checks of `doctor`, and writes nothing. Each program that it runs has `patience` milliseconds to answer. If
 * a file cannot be read, this is a finding, and the other checks still run.
 */
export async function diagnose(
  environment: Environment,
  { version, patience = PATIENCE_MS }: { version: string; patience?: number },
): Promise<Diagnosis> {
  const root = findRoot(environment.cwd)
  const [program, ...probes] = await Promise.all([
    probe(environment, 'cortext', patience),
    ...clientList().map(({ id, versionVariables }) =>
      probe(environment, id, patience, versionVariables?.(environment)),
    ),
  ])
  const clients = clientList().map((client, index) => ({ client, probe: probes[index]! }))
  return {
    ...(root === undefined ? {} : { root }),
    sections: [
      { title: 'This program', findings: programFindings(version, program) },
      {
        title: 'Clients',
        findings: [
          ...clients.flatMap(({ client, probe }) => [
            ...clientFindings(client, probe),
            ...orElse(
              () => personalFindings(environment, client),
              (error) => [inTheWay(error, environment.home)],
            ),
          ]),
          ...missingFindings(clients),
        ],
      },
      ...(root === undefined
        ? [noWorkspace(environment)]
        : await workspaceSections(environment, root, clients)),
    ],
  }
}

function noWorkspace(environment: Environment): Section {
  const removed = removedHint(environment.cwd, environment)
  const findings = [
    (removed === '' ? note : problem)(
      'no-workspace',
      `none at or above ${environment.cwd}: only the clients were checked${removed}`,
      'cortext init',
    ),
  ]
  return { title: 'Workspace', findings }
}

/** The sections about a workspace. If the workspace cannot be opened, the only finding says why. */
async function workspaceSections(
  environment: Environment,
  root: string,
  clients: readonly { client: Client; probe: Probe }[],
): Promise<Section[]> {
  try {
    const sections = await sectionsOf(openWorkspace(environment, root, { looks: true }), clients)
    return sections.filter(({ findings }) => findings.length > 0)
  } catch (error) {
    return [{ title: 'Workspace', findings: [inTheWay(error, root)] }]
  }
}

async function sectionsOf(
  ws: Workspace,
  clients: readonly { client: Client; probe: Probe }[],
): Promise<Section[]> {
  const told = new Set<string>()
  const inTheWayOnce = (error: unknown) => {
    const finding = inTheWay(error, ws.root)
    return told.size < told.add(finding.message).size ? [finding] : []
  }
  const look = (findings: () => Finding[]) => orElse(findings, inTheWayOnce)
  const installed = clients.filter(({ probe }) => probe.path !== undefined).map(({ client }) => client)
  // A client whose program does not print its version is not run again.
  const asked = clients.filter(({ probe }) => probe.failure === undefined).map(({ client }) => client)
  // Each check that needs them tells if they cannot be read.
  const bindings = once(() => surveyBindings(ws.local))
  const entries = once(() => scanConversations(ws.root, ws.local, { ...ws, mayWrite: false }))
  const saved = () => [...bindings().bindings, ...entries().flatMap(({ session }) => session?.native ?? [])]
  return [
    {
      title: 'Workspace',
      findings: [
        ...workspaceFindings(ws),
        ...placeFindings(ws),
        ...redactionFindings(ws),
        ...look(() => [
          ...setupFindings(ws, setUpClients(ws), installed),
          ...serverFindings(ws, setUpClients(ws)),
        ]),
      ],
    },
    {
      title: 'Recording',
      findings: [
        ...look(() => recordingFindings(ws, bindings(), new Set(entries().map(({ path }) => path)))),
        ...look(() => foreignState(ws)),
      ],
    },
    {
      title: 'Conversations',
      findings: [
        ...look(() =>
          conversationFindings(entries(), goneConversations(ws.root, ws.local, entries()), unfinished(ws)),
        ),
        ...look(() => growthFindings(entries())),
      ],
    },
    {
      title: 'Sessions of the clients',
      findings: [
        ...(await notSavedFindings(ws).catch(inTheWayOnce)),
        ...look(() => sessionFindings(ws, asked, saved())),
      ],
    },
    { title: 'Git', findings: [...(await gitFindings(ws)), ...look(() => syncFindings(ws))] },
  ]
}

/** Runs a piece of work when its result is first needed. */
function once<T>(work: () => T): () => T {
  let done: { result: T } | undefined
  return () => {
    done ??= { result: work() }
    return done.result
  }
}

function orElse<T>(work: () => T, otherwise: T | ((error: unknown) => T)): T {
  try {
    return work()
  } catch (error) {
    return otherwise instanceof Function ? otherwise(error) : otherwise
  }
}
