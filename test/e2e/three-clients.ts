import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { claudeEnv, putClaude } from './claude.ts'
import { codexEnv, codexPrompt, codexShell, leaveCodex, PLACE, putCodex } from './codex.ts'
import { geminiEnv, handedOver, promptOf, putGemini } from './gemini.ts'
import * as gemini from './gemini-workspace.ts'
import { type Finished, type Lab, openLab } from './lab.ts'
import { opencodeEnv, putOpenCode } from './opencode.ts'
import { leavePi, piEnv, piPrompt, putPi } from './pi.ts'
import { type Block, bash, tool } from './reply.ts'
import { say } from './say.ts'
import type { Terminal } from './terminal.ts'
import { exit, initWorkspace, type LabWorkspace, stopWith } from './workspace-lab.ts'

/** A person's machine with a workspace, `note.txt` in it, and all three clients, each with an MCP server `notes`. */
export interface ThreeClientsLab extends Lab, LabWorkspace {
  readonly claude: Driver
  readonly opencode: Driver
  readonly gemini: Driver
}

/** The same with Codex CLI, whose hooks the person has trusted. */
export interface FourClientsLab extends ThreeClientsLab {
  readonly codex: Driver
}

/** The same with Pi, which trusts the project. */
export interface FiveClientsLab extends FourClientsLab {
  readonly pi: Driver
}

/** One client, driven as a person would: the same words for all. */
export interface Driver {
  readonly id: 'claude' | 'opencode' | 'gemini' | 'codex' | 'pi'
  readonly name: string
  /** The client in a terminal, once it can be typed to. */
  open(): Promise<Terminal>
  /** Returns once the client that cortext has started in a terminal can be typed to. */
  ready(terminal: Terminal): Promise<void>
  /** The same, where it goes on with a session of its own. */
  readyAgain(terminal: Terminal): Promise<void>
  /** Types a prompt and waits for its answer. */
  say(terminal: Terminal, typed: string, answer: string): Promise<void>
  /** Ends the client; its exit code, once what was said is published. */
  leave(terminal: Terminal): Promise<number>
  /** A slash command without a terminal, in a new session. */
  headless(command: string, args: string): Promise<Finished>
  /** A prompt without a terminal, in a new session. */
  ask(said: string): Promise<Finished>
  /** The same in the session that was the last one. */
  goOn(said: string): Promise<Finished>
  /** What its agent runs in the shell. */
  shell(command: string): Block
  /** What its agent runs to stop, as its instructions say. */
  stop(summary: string): Block
  /** What a person types to run a command of ours. */
  typed(command: string): string
  /** A call of the tool `look_up` of the server `notes`, in this client's name for it. */
  lookUp(word: string): Block
}

/** What `note.txt` of the project says, which no mention in a history may bring to a model. */
export const NOTE = 'THE CONTENT OF THE NOTE'

export async function openThreeClients(): Promise<ThreeClientsLab> {
  const lab = await openLab(clientsEnv)
  return { ...lab, ...(await putClients(lab, [])) }
}

export async function openFourClients(): Promise<FourClientsLab> {
  return putFour(await openFourLab(), [])
}

export async function openFiveClients(): Promise<FiveClientsLab> {
  const lab = await openFourLab()
  const here = putPi(lab)
  const [command, ...args] = SERVER
  put(lab, '.pi/mcp.json', { mcpServers: { notes: { command, args, exposure: 'direct' } } })
  const four = await putFour(lab, ['pi'])
  const shell = (line: string) => tool('bash', { command: line })
  return {
    ...four,
    pi: {
      id: 'pi',
      name: 'Pi',
      open: () => here.interactive(),
      ready: piPrompt,
      readyAgain: piPrompt,
      say,
      async leave(terminal) {
        const code = await leavePi(terminal)
        await four.settled()
        return code
      },
      headless: (name, words) => here.headless(`/${name} ${words}`),
      ask: (said) => here.headless(said),
      goOn: (said) => here.headless(said, ['--continue']),
      shell,
      stop: (summary) => shell(stopWith(summary)),
      typed: (name) => `/${name}`,
      lookUp: (word) => tool('mcp__notes__look_up', { word }),
    },
  }
}

const openFourLab = () =>
  openLab((port) => ({ ...clientsEnv(port), ...codexEnv(port), ...piEnv(port) }), { place: PLACE })

async function putFour(lab: Lab, others: readonly string[]): Promise<FourClientsLab> {
  const codex = putCodex(lab)
  const [command, ...args] = SERVER
  const server = { command, args, default_tools_approval_mode: 'approve' }
  codex.config('[mcp_servers.notes]')
  for (const [key, value] of Object.entries(server)) codex.config(`${key} = ${JSON.stringify(value)}`)
  const clients = await putClients(lab, ['codex', ...others])
  await codex.trustHooks()
  return {
    ...lab,
    ...clients,
    codex: {
      id: 'codex',
      name: 'Codex CLI',
      open: () => codex.interactive(),
      ready: codexPrompt,
      readyAgain: codexPrompt,
      say,
      async leave(terminal) {
        const code = await leaveCodex(terminal)
        await clients.settled()
        return code
      },
      headless: (name, words) => codex.headless(`$${name.replaceAll('.', '-')} ${words}`),
      ask: (said) => codex.headless(said),
      goOn: (said) => codex.headless(said, ['resume', '--last']),
      shell: codexShell,
      // A here-document would be run in the sandbox.
      stop: (summary) => codexShell(stopWith(summary)),
      typed: (name) => `$${name.replaceAll('.', '-')}`,
      lookUp: (word) => tool('mcp__notes__look_up', { word }),
    },
  }
}

const clientsEnv = (port: number): Record<string, string> => ({
  ...claudeEnv(port),
  ...geminiEnv(port),
  ...opencodeEnv(port, { mcp: { notes: { type: 'local', command: SERVER } } }),
})

/** Puts the three clients on a machine, and makes a workspace of them and `others`. */
async function putClients(
  lab: Lab,
  others: readonly string[],
): Promise<LabWorkspace & Pick<ThreeClientsLab, 'claude' | 'opencode' | 'gemini'>> {
  const claude = putClaude(lab)
  const geminiHere = putGemini(lab)
  const opencode = putOpenCode(lab)
  const [command, ...args] = SERVER
  put(lab, '.mcp.json', { mcpServers: { notes: { command, args } } })
  put(lab, '.gemini/settings.json', { mcpServers: { notes: { command, args, trust: true } } })
  writeFileSync(join(lab.project, 'note.txt'), NOTE)
  claude.settings({ enabledMcpjsonServers: ['notes'], permissions: { allow: ['mcp__notes'] } })
  const workspace = await initWorkspace(lab, 'claude', 'opencode', 'gemini', ...others)

  async function leave(terminal: Terminal): Promise<number> {
    const code = await exit(terminal)
    await workspace.settled()
    return code
  }
  return {
    ...workspace,
    claude: {
      id: 'claude',
      name: 'Claude Code',
      open: () => claude.interactive(),
      ready: claudePrompt,
      readyAgain: claudePrompt,
      say,
      leave,
      headless: (name, words) => claude.headless([`/${name} ${words}`]),
      ask: (said) => claude.headless([said]),
      goOn: (said) => claude.headless(['--continue', said]),
      shell: bash,
      stop: (summary) => bash(stopWith(summary)),
      typed: (name) => `/${name}`,
      lookUp: (word) => tool('mcp__notes__look_up', { word }),
    },
    opencode: {
      id: 'opencode',
      name: 'OpenCode',
      open: () => opencode.interactive(),
      ready: async (terminal) => void (await terminal.waitFor('[Resuming', { timeout: 60_000 })),
      readyAgain: async (terminal) => void (await terminal.waitFor('ctrl+p commands', { timeout: 60_000 })),
      say,
      leave,
      headless: (name, words) => opencode.headless(words, ['--command', name]),
      ask: (said) => opencode.headless(said),
      goOn: (said) => opencode.headless(said, ['--continue']),
      shell: (line) => tool('bash', { command: line, description: 'a scripted command' }),
      stop: (summary) => tool('bash', { command: stopWith(summary), description: 'a scripted command' }),
      typed: (name) => `/${name}`,
      lookUp: (word) => tool('notes_look_up', { word }),
    },
    gemini: {
      id: 'gemini',
      name: 'Gemini CLI',
      open: () => geminiHere.interactive(),
      ready: handedOver,
      readyAgain: promptOf,
      say: gemini.say,
      async leave(terminal) {
        const code = await gemini.leave(terminal)
        await workspace.settled()
        return code
      },
      headless: (name, words) => geminiHere.headless(`/${name} ${words}`),
      ask: (said) => geminiHere.headless(said),
      goOn: (said) => geminiHere.headless(said, ['--resume', 'latest']),
      shell: gemini.shell,
      stop: (summary) => gemini.shell(stopWith(summary)),
      typed: (name) => `/${name}`,
      lookUp: (word) => tool('mcp_notes_look_up', { word }),
    },
  }
}

async function claudePrompt(terminal: Terminal): Promise<void> {
  await terminal.waitFor(/^─+\n❯/m)
}

const SERVER = [process.execPath, join(import.meta.dirname, 'mcp-server.mjs')]

function put(lab: Lab, path: string, content: object): void {
  mkdirSync(dirname(join(lab.project, path)), { recursive: true })
  writeFileSync(join(lab.project, path), JSON.stringify(content))
}
