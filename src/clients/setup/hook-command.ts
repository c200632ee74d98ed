/** What a hook's shell command does beside running `cortext hook <client>`. */
export interface HookShell {
  /** Told to the person in one line: that cortext is missing, that it does not work. */
  tells?: readonly ('missing' | 'failing')[]
  /** For a hook that runs often: the folder of the project, where it is noted that the client's process was told. */
  tellsOnce?: { folder: string }
  /**
   * A session that nothing is known of is left to the shell: no process is started, which would hold up the client's
   * start, and the turns of sessions that nobody records. For hooks that have nothing to do then.
   */
  unless?: UnknownSession
}

/** How a shell can tell, without a process, that a session belongs to no conversation. */
export interface UnknownSession {
  /** The variables that hold the project folder and the session's id; not in any doubt, or else cortext runs. */
  folder: string
  id: string
  /** Notes which session the client's process has open, as src/store/machine/open-session.ts does. */
  notesHost?: boolean
}

/**
 * Harmless whatever `cortext` is on this machine: missing, of another version, broken. It always exits 0 (2 would
 * block a prompt in Claude Code and Gemini CLI), prints nothing but an answer of ours (a client takes any other text
 * for context or shows it), and is silent, but for what `tells` asks for. Not by `exec`, so the client's own process
 * is handed on. For sh, dash and bash.
 */
export function hookCommand(client: string, { tells = [], tellsOnce, unless }: HookShell = {}): string {
  const answers = ANSWERS.map((key) => `'{"${key}":'*'}'`).join('|')
  return [
    // The shell itself says something there when a signal ends cortext, and Gemini CLI shows it.
    'exec 2>/dev/null',
    `command -v cortext >/dev/null || ${tells.includes('missing') ? telling(NOT_FOUND) : 'exit 0'}`,
    ...(unless === undefined ? [] : leaving(client, unless)),
    `said=$(CORTEXT_CLIENT_PID=$PPID cortext hook ${client}) || ${tells.includes('failing') ? telling(NOT_WORKING, tellsOnce) : 'exit 0'}`,
    `case $said in ${answers}) printf '%s\\n' "$said";; esac`,
    'exit 0',
  ].join('; ')
}

/** How the answers begin that `tellAgent` and `tellPerson` make. */
const ANSWERS = ['systemMessage', 'hookSpecificOutput']

/** In single quotes of a shell: no apostrophe. */
const NOT_FOUND =
  'cortext was not found, so this conversation is not being recorded. Install it with: npm install -g cortext'
const NOT_WORKING =
  'cortext does not work here, so this conversation is not being recorded. Update it with npm install -g cortext, or see: cortext doctor'

function telling(message: string, once?: { folder: string }): string {
  const print = `printf '%s\\n' '${JSON.stringify({ systemMessage: message })}'`
  if (once === undefined) return `{ ${print}; exit 0; }`
  const steps = [
    `g=$${once.folder}/.git h=$g/cortext/hosts`,
    '[ -d "$g" ] && (umask 077; mkdir -p "$h")',
    // A cortext that works writes the note anew.
    `case $(cat "$h/$PPID.json") in *told) ;; *) ${print}; printf told >>"$h/$PPID.json";; esac`,
  ]
  return `{ ${steps.join('; ')}; exit 0; }`
}

/**
 * Ends the hook where the session has no binding, no `/clear` led to it, and no launch of ours did. Only where
 * everything lies as in most projects, `.workspace` and `.git` being folders in the one that the client works in:
 * then the local folder is the one of src/workspace/root.ts and the names are those of src/store/layout.ts.
 */
function leaving(client: string, { folder, id, notesHost }: UnknownSession): string[] {
  const local = '"$p/.git/cortext'
  const conditions = [
    // An id that is its own file name.
    `[ -n "\${s##*[!A-Za-z0-9-]*}" ]`,
    '[ -d "$p/.git" ] && [ ! -h "$p/.git" ]',
    '[ -d "$p/.workspace" ] && [ ! -h "$p/.workspace" ]',
    `[ ! -e ${local}/bindings/${client}-$s.json" ]`,
    `[ ! -e ${local}/cleared-${client}-$PPID.json" ]`,
    '[ -z "$CORTEXT_LAUNCH" ]',
    ...(notesHost === true ? [noting(client, local)] : []),
  ]
  return [`p=$${folder} s=$${id}`, `${conditions.join(' && ')} && exit 0`]
}

/** The process's start, for its number may be given to another one later: field 22 of proc(5); '' without /proc. */
function noting(client: string, local: string): string {
  const note = `{"client":"${client}","native_id":"%s","start":"%s"}`
  return [
    `[ -d ${local}/hosts" ]`,
    '{ b= && read -r b </proc/$PPID/stat; set -f; set -- ${b##*) }; :; }',
    `printf '${note}' "$s" "\${20}" >${local}/hosts/$PPID.json"`,
  ].join(' && ')
}
