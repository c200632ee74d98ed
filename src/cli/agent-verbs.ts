import type { Command } from 'commander'
import type { Environment } from '../io/environment.ts'
import { addSearchOptions, onlyWith, withoutArgument } from './options.ts'

/**
 * `cortext agent …`: the only calls that an agent may make without asking the person. The rules that `init` writes
 * allow no other calls (src/clients/shared/setup/allowed-calls.ts). Add an option here only if all of this stays true:
 *
 * - These verbs read conversations, and record only the conversation of the agent's own session.
 * - No verb or option begins a session of a client, asks a model, reads a file that an argument names, or discards
 *   anything.
 * - Other conversations change in one case: before its work, a verb may pause quiet conversations and settle what a
 *   merge has left (cli/settle.ts). For a killed OpenCode, this may run `opencode export`.
 */
export function addAgentVerbs(program: Command, environment: Environment): void {
  const agent = program
    .command('agent')
    .description('what an agent may run unasked: read conversations, record its own')
    .enablePositionalOptions()
    .hook('preAction', async () =>
      (await import('../journeys/agent-workspace.ts')).checkAgentsWorkspace(environment),
    )

  agent
    .command('start <type>')
    .description('open a conversation for this session')
    .option('--title <words>', 'the title')
    .action(async (type, options) =>
      (await import('./verbs/start.ts')).startVerb(environment, type, asList(options.title), {
        ...options,
        agent: true,
      }),
    )
  agent
    .command('save')
    .description('write what was said so far into the conversation of this session')
    .action(async () => (await import('./verbs/save.ts')).save(environment, undefined, {}))
  agent
    .command('stop')
    .description('save and pause (or complete) the conversation of this session')
    .option('--complete', 'it is finished, not paused')
    .option('--summary <words>', 'the summary')
    .option('--no-commit', 'do not commit')
    .action(async (options) =>
      (await import('./verbs/stop.ts')).stopVerb(environment, undefined, { ...options, agent: true }),
    )
  const resume = agent
    .command('resume [query...]')
    .description('go on with a conversation in this session; without a query, list them')
    .option('--query <words>', 'the query')
    .option('--force', 'resume even a completed conversation')
    .option('--whole', 'all of it in one output, however long')
    .option('--part <n>', 'a further part of what was too long for one output')
    .action(async (query, options) =>
      (await import('./verbs/resume/in-session.ts')).agentResumeVerb(
        environment,
        [...query, ...asList(options.query)],
        options,
      ),
    )
  onlyWith(resume, 'part')
  withoutArgument(resume, 'part', 'query')

  agent
    .command('list')
    .description('conversations, newest first')
    .option('--type <type>')
    .option('--status <status>')
    .option('--all', 'all, archived and completed ones too')
    .option('--json', 'print one JSON document')
    .action(async (options) =>
      (await import('./verbs/list.ts')).list(environment, { ...options, agent: true }),
    )
  agent
    .command('show <id>')
    .description('a conversation: facts, and with --messages what was said')
    .option('--messages', 'print what was said')
    .option('--at <message>', 'this message and what was said around it, by number or id')
    .option('--json', 'print one JSON document')
    .action(async (id, options) => (await import('./verbs/show.ts')).show(environment, id, options))
  const searching = agent
    .command('search <words...>')
    .description('find what was said, by words, "quoted words" or a question; best first')
  addSearchOptions(searching).action(async (words, options) =>
    (await import('./verbs/search.ts')).searchVerb(environment, words, { ...options, agent: true }),
  )
  agent
    .command('context <id>')
    .description('what a resume would give the agent')
    .option('--budget <tokens>', 'at most this many tokens: resume block and history')
    .option('--about <words>', 'prefer messages about a question over the newest ones')
    .option('--json', 'print one JSON document')
    .action(async (id, options) =>
      (await import('./verbs/context/index.ts')).contextVerb(environment, id, options),
    )
}

function asList(words: string | undefined): string[] {
  return words === undefined ? [] : [words]
}
