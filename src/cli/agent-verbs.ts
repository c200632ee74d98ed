import { onlyWith, SEARCH_OPTIONS, type Verbs, withoutArgument } from './options.ts'

/**
 * `cortext agent …`: the only calls that an agent may make without asking the person. The rules that `init` writes
 * allow no other calls (src/clients/shared/setup/allowed-calls.ts). Add an option here only if all of this stays true:
 *
 * - These verbs read conversations, and record only the conversation of the agent's own session.
 * - No verb or option begins a session of a client, asks a model, reads a file that an argument names, or discards
 *   anything.
 * - Other conversations change in one case: before its work, a verb may pause quiet conversations and settle what a
 *   merge has left (cli/first-step.ts). For a killed OpenCode, this may run `opencode export`.
 */
export const AGENT_VERBS: Verbs = {
  'start <type>': {
    about: 'open a conversation for this session',
    '--title <words>': 'the title',
    json: false,
    load:
      async () =>
      async (environment, type, { title }) =>
        (await import('./verbs/start.ts')).startVerb(environment, type, asList(title), {}),
  },
  save: {
    about: 'write what was said so far into the conversation of this session',
    json: false,
    load: async () => async (environment) =>
      (await import('./verbs/save.ts')).save(environment, undefined, {}),
  },
  stop: {
    about: 'save and pause (or complete) the conversation of this session',
    '--complete': 'it is finished, not paused',
    '--summary <words>': 'the summary',
    '--no-commit': 'do not commit',
    json: false,
    load: async () => async (environment, options) =>
      (await import('./verbs/stop.ts')).stopVerb(environment, undefined, { ...options, agent: true }),
  },
  'resume [query...]': {
    about: 'go on with a conversation in this session; without a query, list them',
    '--query <words>': 'the query',
    '--force': 'resume even a completed conversation',
    '--whole': 'all of it in one output, however long',
    '--part <n>': 'a further part of what was too long for one output',
    rules: [onlyWith('part'), withoutArgument('part', 'query')],
    json: false,
    load: async () => async (environment, query, options) =>
      (await import('./verbs/resume/in-session.ts')).agentResumeVerb(
        environment,
        [...query, ...asList(options.query)],
        options,
      ),
  },
  list: {
    about: 'conversations, newest first',
    '--type <type>': '',
    '--status <status>': '',
    '--all': 'all, archived and completed ones too',
    load: async () => async (environment, options) =>
      (await import('./verbs/list/index.ts')).list(environment, { ...options, agent: true }),
  },
  'show <id>': {
    about: 'a conversation: facts, and with --messages what was said',
    '--messages': 'print what was said',
    '--at <message>': 'this message and what was said around it, by number or id',
    load: async () => (await import('./verbs/show.ts')).show,
  },
  'search <words...>': {
    about: 'find what was said, by words, "quoted words" or a question; best first',
    ...SEARCH_OPTIONS,
    load: async () => async (environment, words, options) =>
      (await import('./verbs/search.ts')).searchVerb(environment, words, { ...options, agent: true }),
  },
  'context <id>': {
    about: 'what a resume would give the agent',
    '--budget <tokens>': 'at most this many tokens: resume block and history',
    '--about <words>': 'prefer messages about a question over the newest ones',
    load: async () => (await import('./verbs/context/index.ts')).contextVerb,
  },
}

function asList(words: string | undefined): string[] {
  return words === undefined ? [] : [words]
}
