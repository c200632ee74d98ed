import { join } from 'node:path'
import type { LaunchIntent, LaunchSpec } from '../client.ts'
import { commandBody } from './pack.ts'

/**
 * Offline, a start with any plugin waits 75 s for npm to give up on a package that the plugin does not need
 * (1.18.33); with this it does not ask. The plugin takes it out again, before an agent runs npm.
 */
const ENV = { npm_config_offline: 'true', CORTEXT_OFFLINE: '1' }

/**
 * `native`: OpenCode's own resume. `handoff`: the command is run at start, and the plugin puts the context behind
 * it, hidden and unexpanded (templates/opencode/cortext.js); the agent says at once where things stand. OpenCode
 * makes the id of the session itself: the plugin tells the hook which it is. Pure.
 */
export function launch(intent: LaunchIntent): LaunchSpec {
  const base = { command: 'opencode', cwd: intent.cwd }
  if (intent.mode === 'native') return { ...base, args: ['--session', intent.nativeId], env: ENV, files: [] }
  const { nativeId, command, args, context, recap } = intent
  const path = join(intent.folder, `opencode-${nativeId}.json`)
  const content = { id: nativeId, command: command.name, body: commandBody(command, args), context, recap }
  return {
    ...base,
    // Without the space behind it the menu of commands would swallow the line.
    args: ['--prompt', `/${command.name} `],
    env: { ...ENV, CORTEXT_RESUME: path },
    files: [{ path, content: JSON.stringify(content) }],
  }
}
