import type { Command } from 'commander'
import { EXPORT_FORMATS, EXPORT_PURPOSES } from '../extras/export-formats.ts'
import type { Environment } from '../io/environment.ts'
import { AGENT_VERBS } from './agent-verbs.ts'
import {
  addVerb,
  appendValue,
  decides,
  exclusive,
  needs,
  notBeforeVerb,
  onlyWith,
  SEARCH_OPTIONS,
  type Verb,
  withoutArgument,
} from './options.ts'

/** Adds the options and the verbs of the table to the program; of verbs, only those among `words` if these are given. */
export function addVerbs(program: Command, environment: Environment, words?: readonly string[]): void {
  addVerb(program.description(PROGRAM.about), PROGRAM, environment, words)
}

/** What the program does, and its verbs. Every `load` is a dynamic import, so that a verb loads only what it uses. */
export const PROGRAM: Verb = {
  about:
    'Keeps every conversation with your AI command-line clients in your own git workspace, and resumes it in any of them.',
  '-c, --last': 'go on with the conversation that was active last',
  '-r, --resume [query...]': 'the same as cortext resume',
  '-n, --new': 'start the client without any conversation',
  '--in <client>': { about: 'the client to go on in', hidden: true },
  '--continue': { about: 'the same as --last', hidden: true },
  '--json': 'print one JSON document',
  // The picker runs `cortext --json --not-saved` in a separate process.
  '--not-saved': { about: 'with --json: only sessions that are not saved', hidden: true },
  rules: [
    exclusive('last', 'resume', 'continue'),
    // With `--new`, no other option but `--in`.
    onlyWith('new', 'in'),
    onlyWith('json', 'notSaved'),
    notBeforeVerb,
  ],
  load:
    async () =>
    async (environment, { resume, ...options }) => {
      const last = options.last ?? options.continue
      if (resume === undefined && (last ?? options.new ?? options.in) === undefined)
        return (await import('./verbs/picker.ts')).picker(environment, options)
      const { resumeVerb } = await import('./verbs/resume/index.ts')
      return resumeVerb(environment, Array.isArray(resume) ? resume : [], { ...options, last })
    },
  verbs: {
    'init [dir]': {
      about: 'make, complete or update a workspace: commands, hooks, templates',
      '--in <client...>': 'clients to set up (default: those on PATH, or all if none is)',
      '--shared': 'git tracks the conversations, and a stop commits them',
      '--private': 'git does not see the workspace',
      '--mcp': 'let the clients look things up here by `cortext mcp`; its tools cost tokens',
      '--no-mcp': 'remove the entries that --mcp made',
      '--skill': 'add a skill that says how to look things up, for clients that read .agents/skills',
      '--add-type <name>': 'register a type of your own, and make its missing files',
      '--personal': 'set up the clients in your own settings, for all your workspaces',
      '--eject <name>': 'copy a prompt, a template or a type into .workspace/, for you to change',
      '--verbose': 'name every file',
      rules: [
        exclusive('shared', 'private'),
        onlyWith('addType', 'verbose', 'json'),
        onlyWith('eject', 'verbose', 'json'),
        onlyWith('personal', 'in', 'verbose', 'json'),
        withoutArgument('addType', 'eject', 'personal'),
      ],
      examples: [
        ['cortext init', 'set up this folder for the clients that are installed'],
        ['cortext init --shared --in claude', 'git tracks the conversations; only Claude Code is set up'],
      ],
      load: async () => (await import('./verbs/init/index.ts')).init,
    },
    'uninstall [dir]': {
      about: 'take back all that init put in; conversations stay',
      '--personal': 'take back what init --personal put in',
      '--verbose': 'name every file',
      rules: [withoutArgument('personal')],
      load: async () => (await import('./verbs/uninstall.ts')).uninstallVerb,
    },
    'start <type> [title...]': {
      about: 'new conversation, bound to the client session that runs this',
      '--title-stdin': 'read the title from standard input',
      '--from-beginning': 'record the client session from its first message on',
      '--keep-here': 'no sync sends it to your other machines',
      rules: [withoutArgument('titleStdin')],
      examples: [['cortext start brainstorm API design', 'begin a conversation of this type']],
      load: async () => (await import('./verbs/start.ts')).startVerb,
    },
    'save [id]': {
      about: 'write what was said so far into the conversation',
      '--commit': 'commit the conversation too',
      load: async () => (await import('./verbs/save.ts')).save,
    },
    'stop [id]': {
      about: 'save and pause (or complete) a conversation',
      '--complete': 'it is finished, not paused',
      '--summary <text>': 'where it stopped, in a sentence or two',
      '--summary-stdin': 'read the summary from standard input',
      '--no-commit': 'do not commit',
      '--discard': 'throw away what was not saved yet',
      rules: [exclusive('summary', 'summaryStdin'), onlyWith('discard', 'commit', 'json')],
      examples: [['cortext stop 001 --complete --summary "shipped in 2.1"', 'it is finished']],
      load: async () => (await import('./verbs/stop.ts')).stopVerb,
    },
    'resume [query...]': {
      about: 'go on with a conversation, by id, number, path or words; without any, choose',
      '--list': 'list all conversations',
      '-c, --last': 'the one that was active last',
      '-n, --new': 'start the client without any conversation',
      '--in <client>': 'the client to resume in',
      '--mode <mode>': { about: 'how to resume', choices: ['native', 'handoff'] },
      '--query-stdin': 'read the query from standard input',
      '--print': 'print what the agent would be given',
      '--dry-run': 'say what would be done',
      '--budget <tokens>': 'hand off at most this many tokens',
      '--full': 'hand off as much history as the model can take',
      '--strategy <name>': 'how a handoff fits the history into the budget',
      '--about <words>': 'hand off what was said about a question, then the newest',
      '--force': 'resume even a completed conversation',
      '--yes': 'do not ask',
      '--everywhere': 'choose from all workspaces of this machine; the default outside of a workspace',
      '--verbose': 'print the receipt: strategy, tokens, counts of messages',
      '--archived': 'with --list: archived ones too',
      rules: [
        onlyWith('list', 'archived', 'everywhere', 'json'),
        onlyWith('new', 'in'),
        exclusive('print', 'dryRun'),
        exclusive('last', 'queryStdin'),
        exclusive('budget', 'full'),
        exclusive('strategy', 'about'),
        needs(['archived'], 'list'),
        needs(['json'], 'list', 'print', 'dryRun'),
        decides(['budget', 'full', 'strategy', 'about'], 'mode', 'handoff'),
        withoutArgument('list', 'new', 'last', 'queryStdin'),
      ],
      examples: [
        ['cortext resume', 'choose one'],
        ['cortext resume rate limit --in gemini', 'the one about the rate limit, in Gemini CLI'],
        ['cortext resume --last --dry-run', 'say what would be done with the last one'],
      ],
      load: async () => async (environment, query, options) =>
        options.list
          ? (await import('./verbs/list/index.ts')).listToResume(environment, options)
          : (await import('./verbs/resume/index.ts')).resumeVerb(environment, query, options),
    },
    list: {
      about: 'conversations, newest first',
      '--type <type>': '',
      '--status <status>': '',
      '--in <client>': '',
      '--since <date>': '',
      '--author <name>': 'only those in which this person said something: a part of the name, or me',
      '--archived': 'the archived ones',
      '--all': 'all, archived and completed ones too',
      '--long': 'everything about each, with its whole title and id',
      '--everywhere': 'of all workspaces of this machine',
      rules: [exclusive('archived', 'all')],
      load: async () => (await import('./verbs/list/index.ts')).list,
    },
    stats: {
      about: 'how many conversations, messages and tokens: by week, type and client',
      '--everywhere': 'of all workspaces of this machine',
      load: async () => (await import('./verbs/stats/index.ts')).statsVerb,
    },
    'show [id]': {
      about: 'a conversation: facts, and with --messages what was said',
      '--key <key>': 'the conversation with this key, instead of an id',
      '--messages': 'print what was said',
      '--at <message>': 'this message and what was said around it, by number or id',
      load: async () => (await import('./verbs/show.ts')).show,
    },
    append: {
      about: 'save one turn of an agent loop of your own: messages on standard input, one JSON object a line',
      '--key <key>': {
        about: 'the name that your program gives to the conversation',
        default: 'cli:default',
      },
      '--type <type>': 'the type of the conversation, if it is new (default: chat)',
      load: async () => (await import('./verbs/append.ts')).append,
    },
    'search <words...>': {
      about: 'find what was said, by words, "quoted words" or a question; best first',
      ...SEARCH_OPTIONS,
      '--everywhere': 'in all workspaces of this machine',
      examples: [
        ['cortext search "token bucket" redis', 'an exact phrase, and a word'],
        ['cortext search why did we drop redis --in claude', 'a question, in talk with Claude Code'],
      ],
      load: async () => (await import('./verbs/search.ts')).searchVerb,
    },
    'why <file>': {
      about: 'which conversation wrote a file, or a line of it: src/a.ts:12',
      load: async () => (await import('./verbs/tracing/why.ts')).whyVerb,
    },
    'log <id>': {
      about: 'the files that a conversation changed, and the commits that were made in it',
      '--format <format>': {
        about: 'as lines, or as a record of Agent Trace 0.1',
        choices: ['text', 'agent-trace'],
      },
      rules: [exclusive('format', 'json')],
      load: async () => (await import('./verbs/tracing/log.ts')).logVerb,
    },
    'context [id]': {
      about: 'exactly what a resume would give the agent, and its receipt; with --key: as messages',
      '--key <key>': 'print the conversation with this key, as messages',
      '--budget <tokens>': 'at most this many tokens: resume block and history',
      '--full': 'as many tokens as the model can take',
      '--strategy <name>': 'the strategy to try first',
      '--about <words>': 'prefer messages about a question over the newest ones',
      '--compare': 'compare what each strategy would keep',
      '--model <name>': 'with --key: the model that gets the messages; its window limits them',
      '--window <tokens>': 'with --key: the size of the window, instead of a model',
      '--system <file>': 'with a model or window: leave room for this system prompt',
      '--tools <file>': 'with a model or window: leave room for these tool definitions',
      '--summarize-with <client>':
        "let this client's model summarise what does not fit (costs tokens), and keep the summary",
      rules: [
        exclusive('budget', 'full'),
        exclusive('strategy', 'about', 'compare'),
        exclusive('model', 'window'),
        onlyWith('key', 'budget', 'strategy', 'model', 'window', 'system', 'tools', 'json'),
        needs(['model', 'window', 'system', 'tools'], 'key'),
        needs(['system', 'tools'], 'model', 'window'),
      ],
      load: async () => (await import('./verbs/context/index.ts')).contextVerb,
    },
    'import [client] [native-id...]': {
      about: "save a client's own sessions as conversations, by their ids or files, or all of this folder",
      '--all': 'every session of this folder; without a client, those of all clients',
      '--automated': 'with --all: also the sessions that no person held, such as headless runs',
      '--file <path>': {
        about: 'a transcript file, or several: --file a --file b, --file *.jsonl',
        parse: appendValue,
      },
      '--into <id>': 'into an existing conversation, or a folder with a document and no session',
      '--type <type>': 'as this type (default: chat, or that of the command typed in it)',
      '--title <title>': 'under this title',
      '--verbose': 'say what became of every byte',
      rules: [
        exclusive('all', 'file'),
        needs(['automated'], 'all'),
        exclusive('all', 'title'),
        exclusive('into', 'type'),
        exclusive('into', 'title'),
        withoutArgument('all'),
      ],
      examples: [
        ['cortext import claude --all', 'every session that Claude Code has of this folder'],
        ['cortext import gemini --file chat.json --type plan', 'one file, as a plan'],
      ],
      load: async () => (await import('./verbs/import.ts')).importVerb,
    },
    'export <id>': {
      about: 'a conversation, or a part of it, as a document: to read, to share, for other programs',
      '--format <format>': {
        about: 'default: markdown',
        choices: EXPORT_FORMATS,
      },
      '--for <purpose>': { about: 'a short markdown for a pull request', choices: EXPORT_PURPOSES },
      '--from <message>': 'from this message on, by number or id',
      '--to <message>': 'up to this message, by number or id',
      '--output <file>': 'write the document to this file',
      '--paths': 'with whole paths: they name your home folder',
      '--json': 'print one JSON document: the export, and what it cannot contain',
      rules: [decides(['for'], 'format', 'markdown')],
      examples: [
        ['cortext export 001 --output talk.md', 'all of it, to read'],
        ['cortext export 001 --format html --output talk.html', 'all of it, as a page for a browser'],
        ['cortext export 001 --for pr', 'what was asked, decided, dropped: for a pull request'],
        ['cortext export 001 --format atif --from 3 --to 12', 'a part of it, for other programs'],
      ],
      load: async () => (await import('./verbs/export/index.ts')).exportVerb,
    },
    'view [query...]': {
      about: 'read a conversation in your browser: one HTML file that needs no network',
      '--all': 'an index of all conversations, and a page for each',
      '-o, --output <path>': 'write to this file, or with --all into this folder',
      '--no-open': 'only print the path of the page',
      '--json': 'print one JSON document, and open nothing',
      load: async () => (await import('./verbs/view/index.ts')).viewVerb,
    },
    'edit [id]': {
      about: 'change a title, status or tags; hide from lists',
      '--key <key>': 'the conversation with this key, instead of an id',
      '--clear': 'if it has a key, begin again: the talk so far stays, but no context contains it',
      '--title <title>': '',
      '--title-stdin': 'read the title from standard input',
      '--type <type>': 'the instructions of this type are given from the next resume on',
      '--summary <text>': '',
      '--status <status>': '',
      '--tag <tag...>': 'add tags',
      '--untag <tag...>': 'remove tags',
      '--archive': 'hide it from lists',
      '--unarchive': 'show it in lists again',
      '--keep-here': 'no sync sends it from now on',
      '--no-keep-here': 'a sync sends it again',
      '--force': 'allow a change from completed to active',
      rules: [
        exclusive('title', 'titleStdin'),
        exclusive('archive', 'unarchive'),
        needs(['force'], 'status'),
      ],
      load: async () => (await import('./verbs/edit.ts')).edit,
    },
    'prune [id]': {
      about: 'move old messages into an archive file, word for word; says what would move, and asks',
      '--key <key>': 'the conversation with this key, instead of an id',
      '--keep <turns>': 'keep this many of the newest turns (default: 10)',
      '--before <message>': 'move what comes before this message, by id or number',
      '--restore': 'move everything back',
      '--yes': 'do not ask',
      '--json': 'print one JSON document; without --yes it says what would move',
      rules: [exclusive('keep', 'before'), onlyWith('restore', 'key', 'yes', 'json')],
      load: async () => (await import('./verbs/prune.ts')).pruneVerb,
    },
    'fork <id>': {
      about: 'a new conversation with the talk of this one, up to a message',
      '--at <message>': 'the last message to take over, by number or id',
      '--title <title>': 'its title',
      load: async () => (await import('./verbs/fork.ts')).forkVerb,
    },
    'redact <id>': {
      about: "the secrets in a saved conversation that today's rules would replace",
      '--apply':
        'replace them, also in the history of a private workspace; git history of a project keeps them',
      '--keep-history': 'with --apply: leave the history of a private workspace as it is',
      rules: [needs(['keepHistory'], 'apply')],
      load: async () => (await import('./verbs/redact.ts')).redactVerb,
    },
    'delete <id>': {
      about: 'remove a conversation here, at its place and on your other machines',
      '--keep-history': 'leave it in the earlier commits of a private workspace, on this machine',
      '--yes': 'do not ask',
      load: async () => (await import('./verbs/delete.ts')).deleteVerb,
    },
    sync: {
      about: 'exchange the conversations with your other machines, by a git repository or a folder of yours',
      '--to <place>':
        'the address of the repository, or a folder; from now on it is the place. Makes a workspace where there is none',
      '--branch <name>': 'the branch for this project, if it is not certain which',
      '--personal': 'the place is that of all your private workspaces on this machine',
      '--auto':
        'sync by itself from now on: after each stop, save and end of a session, before a resume, and when you look at a list (in the background, at most every five minutes)',
      '--no-auto': 'sync only when you say so',
      '--dry-run': 'only list what would be sent, and the secrets in it',
      '--seal': 'encrypt all that goes to this place, with a key that stays with you',
      '--no-seal': 'let it be readable at this place, where the one before was sealed',
      '--key': 'say where that key is, and how another machine gets it',
      '--passphrase': 'lay the key at the place too, sealed with a passphrase',
      '--reader <key>': 'let another public key (age1…) open the conversations of this project too',
      '--remove-reader <key>': 'let it no longer open them',
      '--stop': 'forget the place; what is there stays',
      '--background': { about: 'nobody waits for it', hidden: true },
      rules: [
        exclusive('to', 'stop'),
        exclusive('auto', 'stop'),
        exclusive('passphrase', 'stop'),
        exclusive('dryRun', 'stop'),
        needs(['branch', 'seal'], 'to'),
        onlyWith('key', 'json'),
        exclusive('reader', 'removeReader', 'stop'),
        exclusive('dryRun', 'reader', 'removeReader', 'passphrase'),
      ],
      examples: [
        ['cortext sync --to git@example.org:me/conversations.git', 'on each machine, once for each project'],
        ['cortext sync', 'fetch, join, send'],
      ],
      load: async () => (await import('./verbs/sync/index.ts')).syncVerb,
    },
    doctor: {
      about: 'what is wrong with clients, hooks, recording or record, and what to do about it',
      '--fix': 'bring files up to date, save what was not saved, remove stale locks',
      load: async () => (await import('./verbs/doctor.ts')).doctor,
    },
    mcp: {
      about: 'let an AI client look things up here: a server that it starts itself (init --mcp)',
      json: false,
      load: async () => (await import('./verbs/mcp/index.ts')).mcp,
    },
    agent: {
      about: 'what an agent may run unasked: read conversations, record its own',
      json: false,
      before: async (environment) =>
        (await import('../journeys/agent-workspace.ts')).checkAgentsWorkspace(environment),
      verbs: AGENT_VERBS,
    },
    'completion <shell>': {
      about: 'a script that lets your shell complete verbs, options, ids and types',
      json: false,
      load: async () => (await import('./verbs/completion.ts')).completionVerb,
    },
    'merge-session <base> <ours> <theirs>': {
      about: 'what git runs to merge two versions of a session.json; the result goes into the second file',
      hidden: true,
      json: false,
      // Git itself reports the result of a merge, so we print nothing, and the exit code is the answer.
      load: async () => async (_, base, ours, theirs) => {
        const { mergeForGit } = await import('../journeys/merging/merge-session.ts')
        if (!mergeForGit({ base, ours, theirs })) process.exitCode = 1
      },
    },
    demo: {
      about: 'see it work in a throw-away workspace; no client, no network',
      '--keep': 'keep the workspace',
      json: false,
      load: async () => (await import('./verbs/demo.ts')).demo,
    },
  },
}
