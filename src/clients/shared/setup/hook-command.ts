/** Steps of a hook's shell command beside `cortext hook <client>`. */
export interface HookShell {
  /**
   * What the person is told in one line: that cortext is missing, or that it does not work. A hook with `unless` runs for
   * everybody who shares the settings, so there a missing one is told only where this machine has recorded something.
   */
  tells?: readonly ('missing' | 'failing')[]
  /** For a hook that runs often: the project's folder, where a note says that the client's process was told already. */
  tellsOnce?: { folder: string }
  /**
   * Lets the shell itself end the hook for a session that nothing is known of. No process is started, which would hold
   * up the client's start and the turns of sessions that nobody records. For hooks that have nothing to do in such
   * sessions.
   */
  unless?: UnknownSession
}

/** How a shell can tell, without a process, that a session belongs to no conversation. */
export interface UnknownSession {
  /** The variables that hold the project folder and the session's id. In any doubt about them cortext runs. */
  folder: string
  id: string
  /** True: the shell notes which session the client's process has open, as src/store/machine/open-session.ts does. */
  notesHost?: boolean
  /**
   * For a client that tells its hooks the session on stdin alone: the key of the id there. A payload that holds `but`,
   * with which our commands begin, is left to cortext.
   */
  payload?: { id: string; but: string }
}

/**
 * Makes a hook command that is harmless whatever `cortext` is on this machine: missing, of another version, broken. It
 * always exits 0 (2 would block a prompt in Claude Code and Gemini CLI). It prints only an answer of ours, since a
 * client takes any other text for context or shows it, and what `tells` asks for. It does not use `exec`, so that
 * `cortext` is given the number of the client's own process. For sh, dash and bash.
 */
export function hookCommand(client: string, { tells = [], tellsOnce, unless }: HookShell = {}): string {
  const answers = ANSWERS.map((key) => `'{"${key}":'*'}'`).join('|')
  const payload = unless?.payload
  const given = payload === undefined ? '' : `printf %s "$i" | `
  return [
    // When a signal ends cortext, the shell itself writes to stderr, and Gemini CLI shows that.
    'exec 2>/dev/null',
    ...(payload === undefined ? [] : ['i=$(cat)']),
    `command -v cortext >/dev/null || ${tells.includes('missing') ? telling(NOT_FOUND, { here: unless }) : 'exit 0'}`,
    ...(unless === undefined ? [] : leaving(client, unless)),
    `said=$(${given}CORTEXT_CLIENT_PID=$PPID cortext hook ${client}) || ${tells.includes('failing') ? telling(NOT_WORKING, { once: tellsOnce }) : 'exit 0'}`,
    `case $said in ${answers}) printf '%s\\n' "$said";; esac`,
    'exit 0',
  ].join('; ')
}

/** The first keys of the answers that `tellAgent` and `tellPerson` make. */
const ANSWERS = ['systemMessage', 'hookSpecificOutput']

/** The text stands in single quotes of a shell, so it has no apostrophe. */
const NOT_FOUND =
  'cortext was not found, so this conversation is not being recorded. Install it with: npm install -g cortext'
const NOT_WORKING =
  'cortext does not work here, so this conversation is not being recorded. Update it with npm install -g cortext, or see: cortext doctor'

function telling(
  message: string,
  { once, here }: { once?: { folder: string } | undefined; here?: UnknownSession | undefined },
): string {
  const print = `printf '%s\\n' '${JSON.stringify({ systemMessage: message })}'`
  // A teammate without cortext has neither, since no clone brings them.
  if (here !== undefined) {
    // Whoever types one of our commands is told all the same.
    const typed = here.payload === undefined ? '' : `[ "\${i#*\\${here.payload.but}}" = "$i" ] && `
    return `{ p=$${here.folder}; ${typed}[ ! -d "$p/.git/cortext" ] && [ ! -d "$p/.workspace/local" ] || ${print}; exit 0; }`
  }
  if (once === undefined) return `{ ${print}; exit 0; }`
  const steps = [
    `g=$${once.folder}/.git h=$g/cortext/open-sessions`,
    // What came with an archive may be a link: then nothing is noted, and the person is told each time.
    `[ -d "$g" ] && [ ! -h "$g/cortext" ] && [ ! -h "$h" ] && [ ! -h "$h/$PPID.json" ] && (umask 077; mkdir -p "$h") || h=/dev/null`,
    // A space at its end marks the note, which is JSON with it too. A cortext that works writes it again, without the mark.
    `case $(cat "$h/$PPID.json") in *' ') ;; *) ${print}; printf ' ' >>"$h/$PPID.json";; esac`,
  ]
  return `{ ${steps.join('; ')}; exit 0; }`
}

/**
 * Ends the hook where the session has no binding and neither a `/clear` nor a launch of ours led to it. It does so only
 * in the usual layout, where `.workspace` and `.git` are folders in the folder that the client works in, and `.git` is a
 * repository of this user (src/workspace/repository.ts). There the local folder is the one of
 * src/workspace/local-folder.ts, and the names are those of src/store/layout.ts.
 */
function leaving(client: string, { folder, id, notesHost, payload }: UnknownSession): string[] {
  const local = '"$p/.git/cortext'
  const conditions = [
    ...(payload === undefined ? [] : [`[ "\${i#*\\${payload.but}}" = "$i" ]`]),
    // The id must be its own file name.
    `[ -n "\${s##*[!A-Za-z0-9-]*}" ]`,
    '[ -d "$p/.git" ] && [ ! -h "$p/.git" ] && [ -O "$p/.git" ] && [ -O "$p" ]',
    '[ -f "$p/.git/HEAD" ] && [ -d "$p/.git/objects" ] && [ -d "$p/.git/refs" ] && [ ! -e "$p/.git/commondir" ]',
    `[ ! -h ${local}" ]`,
    // What was recorded before the repository was made may lie there still.
    '[ -d "$p/.workspace" ] && [ ! -h "$p/.workspace" ] && [ ! -e "$p/.workspace/local" ]',
    `[ ! -e ${local}/bindings/${client}-$s.json" ]`,
    `[ ! -e ${local}/cleared-${client}-$PPID.json" ]`,
    '[ -z "$CORTEXT_LAUNCH" ]',
    ...(notesHost === true ? [noting(client, local)] : []),
  ]
  const named =
    payload === undefined
      ? [`p=$${folder} s=$${id}`]
      : // Within a JSON string the quotes would stand behind backslashes.
        [`p=$${folder} s=\${i#*'"${payload.id}":"'}`, `s=\${s%%'"'*}`]
  return [...named, `${conditions.join(' && ')} && exit 0`]
}

/**
 * Writes the note about the open session. It holds the start of the client's process, because the process's number may
 * be given to another one later: field 22 of proc(5); '' without /proc.
 */
function noting(client: string, local: string): string {
  const note = `{"client":"${client}","native_id":"%s","start":"%s"}`
  return [
    `[ -d ${local}/open-sessions" ] && [ ! -h ${local}/open-sessions" ] && [ ! -h ${local}/open-sessions/$PPID.json" ]`,
    '{ b= && read -r b </proc/$PPID/stat; set -f; set -- ${b##*) }; :; }',
    `printf '${note}' "$s" "\${20}" >${local}/open-sessions/$PPID.json"`,
  ].join(' && ')
}
